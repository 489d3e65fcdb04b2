import { List } from '@gatehouse/plugin-kit/console'
import Mail from '@mui/icons-material/MailOutlined'
import Sms from '@mui/icons-material/SmsOutlined'
import Box from '@mui/material/Box'
import { DataTable, FilterButton, SearchInput, SelectInput, TopToolbar, useListContext } from 'react-admin'
import { Cell } from '../components/Cell.tsx'
import { DayInput } from '../components/DayInput.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { refetchWhile } from '../components/refetch-while.ts'
import { statusFilter } from '../components/status-filter.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { DeliveryStatus } from './DeliveryStatus.tsx'
import { type Delivery, isUnderWay, kinds, statuses, titleOf } from './delivery.ts'

const filters = [
  <SearchInput
    key="recipient"
    source="recipient"
    alwaysOn
    placeholder="Recipient"
    slotProps={{ htmlInput: { 'aria-label': 'Recipient: any part of the address or number' } }}
  />,
  statusFilter(statuses),
  <SelectInput key="kind" source="kind" label="Kind" choices={kinds} />,
  <DayInput key="from" source="from" label="From (UTC)" />,
  <DayInput key="to" source="to" label="To (UTC)" />,
]

const Actions = () => (
  <TopToolbar>
    <FilterButton />
  </TopToolbar>
)

function Empty() {
  const { filterValues } = useListContext()
  const isFiltered = Object.keys(filterValues).length > 0
  return (
    <EmptyState icon={Mail} title={isFiltered ? 'No message matches' : 'Nothing has been sent yet'}>
      {isFiltered
        ? 'Take a filter away to see more.'
        : 'Every mail and SMS that Gatehouse sends, or keeps because no server is configured, is listed here for 90 days.'}
    </EmptyState>
  )
}

const KindIcon = ({ kind }: Pick<Delivery, 'kind'>) => {
  const Icon = kind === 'mail' ? Mail : Sms
  return (
    <Icon titleAccess={kind === 'mail' ? 'Mail' : 'SMS'} sx={{ fontSize: 18, color: 'text.secondary', mt: '2px' }} />
  )
}

const queryOptions = refetchWhile(isUnderWay, 5_000)

/** Mail and SMS, newest first. */
export function DeliveryList() {
  const isPhone = useIsPhone()
  return (
    <List
      title="Deliveries"
      sort={{ field: 'id', order: 'DESC' }}
      filters={filters}
      actions={<Actions />}
      empty={false}
      queryOptions={queryOptions}
    >
      <DataTable<Delivery> bulkActionButtons={false} rowClick="show" empty={<Empty />}>
        <DataTable.Col
          source="subject"
          label="Message"
          disableSort
          render={(delivery: Delivery) => (
            <Box sx={{ display: 'flex', gap: 1.25 }}>
              <KindIcon kind={delivery.kind} />
              <Cell to={`/deliveries/${delivery.id}/show`} title={titleOf(delivery)}>
                {isPhone ? (
                  <>
                    To {delivery.recipient}, <RelativeTime value={delivery.created_at} />
                  </>
                ) : delivery.status !== 'sent' ? (
                  delivery.last_error
                ) : null}
              </Cell>
            </Box>
          )}
        />
        {isPhone ? null : (
          <DataTable.Col
            source="recipient"
            label="To"
            render={({ recipient }: Delivery) => <Box sx={{ overflowWrap: 'anywhere' }}>{recipient}</Box>}
          />
        )}
        <DataTable.Col
          source="status"
          label="Status"
          disableSort
          render={({ status }: Delivery) => <DeliveryStatus status={status} />}
        />
        {isPhone ? null : (
          <DataTable.Col
            source="created_at"
            label="Created"
            render={({ created_at }: Delivery) => <RelativeTime value={created_at} />}
          />
        )}
      </DataTable>
    </List>
  )
}
