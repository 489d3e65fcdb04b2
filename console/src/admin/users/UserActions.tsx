import MoreVert from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { type User, useSession } from '../session.ts'
import { DeedDialog, type DeedName } from './Deed.tsx'
import { useMeta } from './PasswordInputs.tsx'

interface Entry {
  readonly deed: DeedName
  readonly label: string
  readonly isShown: boolean
  readonly isDangerous?: boolean
}

/** Everything that can be done to an account at once, beside its name. */
export function UserActions({ user }: { user: User }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<DeedName>()
  const isOther = useSession().user.id !== user.id
  const mayReset = useMeta()?.features.password_reset ?? false
  const { status } = user
  const entries: readonly Entry[] = [
    { deed: 'reset', label: 'Send a password reset', isShown: mayReset && status !== 'Banned' },
    { deed: 'resend', label: 'Resend the confirmation', isShown: status === 'Unconfirmed' },
    { deed: 'invite', label: 'Send an invitation', isShown: status === 'Unconfirmed' },
    { deed: 'confirm', label: 'Confirm', isShown: status === 'Unconfirmed' },
    { deed: 'end', label: 'End all sessions', isShown: isOther },
    { deed: 'unban', label: 'Unban', isShown: status === 'Banned' },
    { deed: 'ban', label: 'Ban', isShown: isOther && status !== 'Banned', isDangerous: true },
    { deed: 'delete', label: 'Delete', isShown: isOther, isDangerous: true },
  ]
  const shown = entries.filter(({ isShown }) => isShown)
  const ask = (deed: DeedName) => {
    setAnchor(null)
    setAsked(deed)
  }
  const items = (isDangerous: boolean) =>
    shown
      .filter((entry) => (entry.isDangerous ?? false) === isDangerous)
      .map(({ deed, label }) => (
        <MenuItem key={deed} onClick={() => ask(deed)} sx={isDangerous ? { color: 'error.main' } : undefined}>
          {label}
        </MenuItem>
      ))
  if (shown.length === 0) return null
  return (
    <>
      <Button
        variant="outlined"
        endIcon={<MoreVert />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        Actions
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {items(false)}
        {isOther ? <Divider sx={{ my: 0.5 }} /> : null}
        {items(true)}
      </Menu>
      {asked === undefined ? null : <DeedDialog user={user} deed={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
