import { List } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/WebhookOutlined'
import { DataTable, TopToolbar } from 'react-admin'
import { Cell } from '../components/Cell.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { NewButton } from '../components/NewButton.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { statusFilter } from '../components/status-filter.tsx'
import { Tag } from '../components/Tag.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { eventsInWords, statusOf, type Webhook } from './webhook.ts'

const NewWebhook = () => <NewButton to="/webhooks/create">New webhook</NewButton>

const Actions = () => (
  <TopToolbar>
    <NewWebhook />
  </TopToolbar>
)

const Empty = () => (
  <EmptyState icon={Icon} title="There is no webhook yet" action={<NewWebhook />}>
    A webhook tells another program what happens here: each event is sent to its URL, signed.
  </EmptyState>
)

export const WebhookStatus = ({ webhook }: { webhook: Webhook }) => {
  const { tone, name } = statusOf(webhook)
  return <Tag tone={tone}>{name}</Tag>
}

const filters = [statusFilter({ on: { name: 'On' }, failing: { name: 'Failing' }, off: { name: 'Off' } })]

/** Where events are sent to. */
export function WebhookList() {
  const isPhone = useIsPhone()
  return (
    <List
      title="Webhooks"
      sort={{ field: 'id', order: 'ASC' }}
      filters={filters}
      actions={<Actions />}
      empty={<Empty />}
    >
      <DataTable<Webhook> bulkActionButtons={false} rowClick="edit">
        <DataTable.Col
          source="url"
          label="URL"
          disableSort
          render={(webhook: Webhook) => (
            <Cell to={`/webhooks/${webhook.id}`} title={webhook.url}>
              {isPhone ? eventsInWords(webhook) : webhook.description}
            </Cell>
          )}
        />
        {isPhone ? null : <DataTable.Col source="events" label="Events" disableSort render={eventsInWords} />}
        <DataTable.Col
          source="enabled"
          label="Status"
          disableSort
          render={(webhook: Webhook) => <WebhookStatus webhook={webhook} />}
        />
        {isPhone ? null : (
          <DataTable.Col
            source="created_at"
            label="Created"
            render={({ created_at }: Webhook) => <RelativeTime value={created_at} />}
          />
        )}
      </DataTable>
    </List>
  )
}
