import {
  FormControlLabel,
  LoadError,
  Switch,
  useApi,
  useNotify,
  useOnce,
  useQuery,
  useQueryClient,
} from '@gatehouse/plugin-kit/console'

interface Answer {
  readonly data: { readonly subscribed: boolean }
}

const address = '/announcements/subscription'
const queryKey = ['announcements', 'subscription']

/** Whether one gets announcements by mail. */
export function Subscription() {
  const call = useApi()
  const notify = useNotify()
  const queries = useQueryClient()
  const { data, error } = useQuery({ queryKey, queryFn: () => call<Answer>('GET', address) })
  // One after another: of two, the first might arrive last.
  const [set, isBusy] = useOnce(async (subscribed: boolean) => {
    queries.setQueryData<Answer>(queryKey, { data: { subscribed } }) // at once; taken back where it fails
    try {
      await call('PUT', address, { body: { subscribed } })
      notify(subscribed ? 'You will get announcements by mail.' : 'You will get no more announcements by mail.', {
        type: 'success',
      })
    } catch (error) {
      queries.setQueryData<Answer>(queryKey, { data: { subscribed: !subscribed } })
      notify((error as Error).message, { type: 'error' })
    }
  })
  if (data === undefined && error !== null) return <LoadError error={error} what="Your choice about mails" />
  return (
    <FormControlLabel
      disabled={data === undefined || isBusy}
      control={<Switch checked={data?.data.subscribed ?? true} onChange={({ target }) => set(target.checked)} />}
      label="Send me new announcements by mail"
      sx={{ '& .MuiFormControlLabel-label': { ml: 0.5 } }}
    />
  )
}
