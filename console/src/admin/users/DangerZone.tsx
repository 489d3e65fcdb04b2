import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Section } from '../components/Section.tsx'
import { type User, useSession } from '../session.ts'
import { DeedDialog, type DeedName } from './Deed.tsx'

interface RowProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}

const Row = ({ title, text, action, isDangerous = false, disabled = false, onClick }: RowProps) => (
  <Box
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: 1.5,
      py: 1.5,
      '& + &': { borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    <Box sx={{ flex: '1 1 260px', overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
      <Typography variant="caption" component="p">
        {text}
      </Typography>
    </Box>
    <Button variant="outlined" color={isDangerous ? 'error' : 'primary'} disabled={disabled} onClick={onClick}>
      {action}
    </Button>
  </Box>
)

const yourself = 'This is your own account: somebody else has to do this.'

/** What changes whether somebody can sign in at all, each with a question before it; what only helps them stands apart. */
export function DangerZone({ user }: { user: User }) {
  const [asked, setAsked] = useState<DeedName>()
  const isYou = useSession().user.id === user.id
  return (
    <>
      {user.status === 'Unconfirmed' ? (
        <Section title="Confirmation">
          <Row
            title="Confirm this account"
            text={`${user.email} has not been confirmed. You can vouch for it instead.`}
            action="Confirm"
            onClick={() => setAsked('confirm')}
          />
        </Section>
      ) : null}
      {user.status === 'Banned' ? (
        <Section title="Access">
          <Row
            title="Unban this user"
            text="They can sign in again. Revoked API keys stay revoked."
            action="Unban"
            onClick={() => setAsked('unban')}
          />
        </Section>
      ) : null}
      <Section title="Danger zone">
        {user.status === 'Banned' ? null : (
          <Row
            title="Ban this user"
            text={isYou ? yourself : 'Signs them out at once, and keeps them out until they are unbanned.'}
            action="Ban"
            isDangerous
            disabled={isYou}
            onClick={() => setAsked('ban')}
          />
        )}
        <Row
          title="Delete this user"
          text={isYou ? yourself : 'Deletes the account with its sessions, API keys and picture, for good.'}
          action="Delete"
          isDangerous
          disabled={isYou}
          onClick={() => setAsked('delete')}
        />
      </Section>
      {asked === undefined ? null : <DeedDialog user={user} deed={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
