import {
  Box,
  Button,
  ConfirmDialog,
  LinearProgress,
  LoadError,
  Paper,
  Typography,
  useApi,
  useNotify,
  useQuery,
  useQueryClient,
  useState,
} from '@gatehouse/plugin-kit/console'
import { type Announcement, count, type Mails } from './announcement.ts'
import { Envelope } from './icons.tsx'
import { Recipients, useRecipients } from './Recipients.tsx'

const pollMs = 1000

/** How far the mails are, asked for each second while they are being sent. */
function useMails({ id, notifications }: Announcement) {
  const call = useApi()
  return useQuery({
    queryKey: ['announcements', 'mails', id],
    queryFn: async () => (await call<{ data: Mails }>('GET', `/announcements/${id}/notifications`)).data,
    enabled: notifications != null,
    initialData: notifications ?? undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
  })
}

/** The numbers of which there are any. */
const details = ({ failed, skipped }: Mails): string =>
  [
    ...(failed === 0 ? [] : [`${count(failed, 'mail')} could not be delivered`]),
    ...(skipped === 0
      ? []
      : [`${count(skipped, 'person', 'people')} left out: unsubscribed or not active any more, or it was stopped`]),
  ].join('. ')

function Progress({ mails, onStop }: { mails: Mails; onStop: () => void }) {
  const { status, total, queued, sent, skipped } = mails
  const isRunning = status === 'running'
  const said = { running: 'Being sent by mail', done: 'Sent by mail', cancelled: 'Stopped' }[status]
  const percent = total === 0 ? 100 : ((total - queued) / total) * 100
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
        <Envelope sx={{ color: 'text.secondary' }} fontSize="small" />
        <Typography role="status" sx={{ fontWeight: 600 }}>
          {said}
        </Typography>
        <Typography color="text.secondary" sx={{ flex: 1, fontVariantNumeric: 'tabular-nums' }}>
          {sent.toLocaleString('en')} of {count(status === 'cancelled' ? total : total - skipped, 'mail')} sent
        </Typography>
        {isRunning ? (
          <Button variant="outlined" color="error" onClick={onStop}>
            Stop
          </Button>
        ) : null}
      </Box>
      {isRunning ? (
        <LinearProgress
          variant="determinate"
          value={percent}
          aria-label="Mails sent"
          sx={{ mt: 1.5, borderRadius: 1 }}
        />
      ) : null}
      {details(mails) === '' ? null : (
        <Typography variant="caption" component="p" sx={{ mt: 1 }}>
          {details(mails)}.
        </Typography>
      )}
    </>
  )
}

/** For who manages announcements: sends one by mail, after asking, shows how far that is, and stops it. */
export function MailPanel({ announcement }: { announcement: Announcement }) {
  const { id } = announcement
  const call = useApi()
  const notify = useNotify()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'send' | 'stop'>()
  const { data: mails, error } = useMails(announcement)
  const reach = useRecipients(asked === 'send')
  const { recipients } = reach
  const path = `/announcements/${id}/notifications`
  const refresh = (answer: { data: Mails }) => {
    queries.setQueryData(['announcements', 'mails', id], answer.data)
    return queries.invalidateQueries({ queryKey: ['announcements'] })
  }
  const send = async () => {
    await refresh(await call<{ data: Mails }>('POST', path))
    notify('The mails are on their way.', { type: 'success' })
  }
  const stop = async () => {
    const answer = await call<{ data: Mails }>('DELETE', path)
    await refresh(answer)
    notify(answer.data.status === 'cancelled' ? 'Sending was stopped.' : 'All mails had been sent already.')
  }
  return (
    <Paper component="section" aria-label="By mail" sx={{ px: 2.5, py: 1.5 }}>
      <LoadError error={error} what="How far it is" />
      {mails === undefined ? (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
          <Envelope sx={{ color: 'text.secondary' }} fontSize="small" />
          <Typography sx={{ flex: 1 }}>Not sent by mail</Typography>
          <Button variant="outlined" onClick={() => setAsked('send')}>
            Send by mail
          </Button>
        </Box>
      ) : (
        <Progress mails={mails} onStop={() => setAsked('stop')} />
      )}
      {asked === 'send' ? (
        <ConfirmDialog
          title="Send this announcement by mail?"
          action={recipients === undefined ? 'Send' : `Send ${count(recipients.count, 'mail')}`}
          isReady={recipients !== undefined && recipients.count > 0}
          onConfirm={send}
          onClose={() => setAsked(undefined)}
        >
          <Recipients {...reach} />
        </ConfirmDialog>
      ) : null}
      {asked === 'stop' ? (
        <ConfirmDialog
          title="Stop sending?"
          action="Stop sending"
          isDangerous
          onConfirm={stop}
          onClose={() => setAsked(undefined)}
        >
          Whoever has it keeps it; nobody else gets it. This announcement cannot be sent by mail again.
        </ConfirmDialog>
      ) : null}
    </Paper>
  )
}
