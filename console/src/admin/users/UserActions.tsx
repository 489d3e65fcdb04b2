import MoreVert from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { useSession } from '../session.ts'
import { ActionDialog, type ActionName } from './ActionDialog.tsx'
import { useMeta } from './PasswordInputs.tsx'
import type { PageProps } from './tab.ts'

interface Entry {
  readonly action: ActionName
  readonly label: string
  readonly isShown: boolean
  readonly isDangerous?: boolean
}

/** Everything that can be done to an account at once, beside its name. */
export function UserActions({ user, goOn }: Pick<PageProps, 'user' | 'goOn'>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<ActionName>()
  const isOther = useSession().user.id !== user.id
  const mayReset = useMeta()?.features.password_reset ?? false
  const { status } = user
  const entries: readonly Entry[] = [
    { action: 'reset', label: 'Send a password reset', isShown: mayReset && status !== 'Banned' },
    { action: 'resend', label: 'Resend the confirmation', isShown: status === 'Unconfirmed' },
    { action: 'invite', label: 'Send an invitation', isShown: status === 'Unconfirmed' },
    { action: 'confirm', label: 'Confirm', isShown: status === 'Unconfirmed' },
    { action: 'end', label: 'End all sessions', isShown: isOther },
    { action: 'unban', label: 'Unban', isShown: status === 'Banned' },
    { action: 'ban', label: 'Ban', isShown: isOther && status !== 'Banned', isDangerous: true },
    { action: 'delete', label: 'Delete', isShown: isOther, isDangerous: true },
  ]
  const shown = entries.filter(({ isShown }) => isShown)
  const ask = (action: ActionName) => {
    setAnchor(null)
    setAsked(action)
  }
  const items = (isDangerous: boolean) =>
    shown
      .filter((entry) => (entry.isDangerous ?? false) === isDangerous)
      .map(({ action, label }) => (
        <MenuItem key={action} onClick={() => ask(action)} sx={isDangerous ? { color: 'error.main' } : undefined}>
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
      {asked === undefined ? null : (
        <ActionDialog user={user} action={asked} goOn={goOn} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}
