import { useOnce } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/MailOutlined'
import Retry from '@mui/icons-material/ReplayOutlined'
import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { ShowBase, Title, useNotify, useShowContext } from 'react-admin'
import { PageHead } from '../components/PageHead.tsx'
import { RecordPage, stayOnError } from '../components/RecordPage.tsx'
import { call } from '../data-provider.ts'
import { DeliveryStatus } from './DeliveryStatus.tsx'
import { type Delivery, isUnderWay, mayRetry, statuses, titleOf } from './delivery.ts'
import { Facts } from './Facts.tsx'
import { Message } from './Message.tsx'

function RetryButton({ delivery: { id } }: { delivery: Delivery }) {
  const notify = useNotify()
  const queries = useQueryClient()
  const [retry, isBusy] = useOnce(async () => {
    try {
      await call('POST', `/deliveries/${id}/retry`)
      notify('It is being sent again.', { type: 'success' })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
    await queries.invalidateQueries({ queryKey: ['deliveries'] })
  })
  return (
    <Button variant="outlined" startIcon={<Retry />} onClick={retry} disabled={isBusy}>
      Send again now
    </Button>
  )
}

function DeliveryPage({ delivery }: { delivery: Delivery }) {
  const { status, last_error, recipient } = delivery
  const { text } = statuses[status]
  return (
    <>
      <Title title={titleOf(delivery)} />
      <Box sx={{ mb: 2 }}>
        <PageHead
          title={titleOf(delivery)}
          tag={<DeliveryStatus status={status} />}
          action={mayRetry(delivery) ? <RetryButton delivery={delivery} /> : null}
        >
          To {recipient}. {text}
        </PageHead>
      </Box>
      {last_error !== null && status !== 'sent' ? (
        <Alert severity={status === 'failed' ? 'error' : 'warning'} sx={{ mb: 2, overflowWrap: 'anywhere' }}>
          <AlertTitle>Error of the last attempt</AlertTitle>
          {last_error}
        </Alert>
      ) : null}
      <Box
        sx={{
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
        }}
      >
        <Message delivery={delivery} />
        <Facts delivery={delivery} />
      </Box>
    </>
  )
}

const LoadedDelivery = () => (
  <RecordPage
    state={useShowContext<Delivery>()}
    noun="message"
    icon={Icon}
    back={{ to: '/deliveries', label: 'Deliveries' }}
    maxWidth={1040}
  >
    {(delivery) => <DeliveryPage delivery={delivery} />}
  </RecordPage>
)

const refetchMs = 3_000
const queryOptions = {
  ...stayOnError,
  refetchInterval: (query: { state: { data?: Delivery | undefined } }) =>
    query.state.data !== undefined && isUnderWay(query.state.data) ? refetchMs : false,
}

/** One message: its text and its delivery. */
export const DeliveryShow = () => (
  <ShowBase<Delivery> queryOptions={queryOptions as object}>
    <LoadedDelivery />
  </ShowBase>
)
