import { FormControlLabel, Switch, useApi, useNotify, useQuery, useQueryClient } from '@gatehouse/plugin-kit/console'

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
  const { data } = useQuery({ queryKey, queryFn: () => call<Answer>('GET', address) })
  const set = async (subscribed: boolean) => {
    try {
      queries.setQueryData(queryKey, await call<Answer>('PUT', address, { body: { subscribed } }))
      notify(subscribed ? 'You will get announcements by mail.' : 'You will get no more announcements by mail.', {
        type: 'success',
      })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
  }
  return (
    <FormControlLabel
      disabled={data === undefined}
      control={<Switch checked={data?.data.subscribed ?? true} onChange={({ target }) => set(target.checked)} />}
      label="Send me new announcements by mail"
      sx={{ '& .MuiFormControlLabel-label': { ml: 0.5 } }}
    />
  )
}
