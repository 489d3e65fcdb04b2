import { useGoOn, useMay, useOnce } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { call } from '../data-provider.ts'
import type { Delivery } from '../deliveries/delivery.ts'

/** Sends a test mail to the current user, and shows its delivery. Renders nothing for users who may not send one. */
export function TestMailButton() {
  const mayTest = useMay('settings.notifications')
  const maySee = useMay('deliveries.view')
  const notify = useNotify()
  const goOn = useGoOn()
  const queries = useQueryClient()
  const [send, isBusy] = useOnce(async () => {
    try {
      const { data } = await call<{ data: Delivery }>('POST', '/deliveries/test')
      notify(`A test mail to ${data.recipient} is on its way.`, { type: 'success' })
      if (maySee) goOn(`/deliveries/${data.id}/show`)
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
  })
  if (!mayTest) return null
  return (
    <Button variant="outlined" onClick={send} disabled={isBusy} sx={{ alignSelf: 'center', flexShrink: 0 }}>
      Send a test mail
    </Button>
  )
}
