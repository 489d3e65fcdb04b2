import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify, useRedirect } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { type User, useSession } from '../session.ts'
import { listAddress } from './list/list-address.ts'
import { useChanged } from './tab.ts'

type Deed = 'ban' | 'unban' | 'confirm' | 'delete'

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
    <Box sx={{ flex: '1 1 260px' }}>
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
  const [asked, setAsked] = useState<Deed>()
  const notify = useNotify()
  const redirect = useRedirect()
  const changed = useChanged(user)
  const client = useQueryClient()
  const isYou = useSession().user.id === user.id
  const name = nameOf(user)
  const close = () => setAsked(undefined)

  const setStatus = async (status: User['status'], said: string) => {
    await call('PATCH', `/users/${user.id}`, { body: { status } })
    notify(said, { type: 'success' })
    await changed()
  }
  const remove = async () => {
    await call('DELETE', `/users/${user.id}`)
    notify(`${name} was deleted.`, { type: 'success' })
    redirect(listAddress())
    await client.invalidateQueries({ queryKey: ['users', 'getList'] }) // not the user, who is no more
  }

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
      {asked === 'ban' ? (
        <ConfirmDialog
          title={`Ban ${name}?`}
          action="Ban"
          isDangerous
          onConfirm={() => setStatus('Banned', `${name} was banned.`)}
          onClose={close}
        >
          They are signed out at once and can no longer sign in. Their API keys are revoked for good.
        </ConfirmDialog>
      ) : null}
      {asked === 'unban' ? (
        <ConfirmDialog
          title={`Unban ${name}?`}
          action="Unban"
          onConfirm={() => setStatus('Active', `${name} was unbanned.`)}
          onClose={close}
        >
          They can sign in again with their password. Revoked API keys stay revoked.
        </ConfirmDialog>
      ) : null}
      {asked === 'confirm' ? (
        <ConfirmDialog
          title={`Confirm ${name}?`}
          action="Confirm"
          onConfirm={() => setStatus('Active', `${name} is active now.`)}
          onClose={close}
        >
          The account becomes Active as if they had followed the link that was sent to {user.email}.
        </ConfirmDialog>
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          isDangerous
          typed={user.email}
          onConfirm={remove}
          onClose={close}
        >
          The account is deleted with its sessions, API keys and picture. This cannot be undone.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
