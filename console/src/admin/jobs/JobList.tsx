import { List } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/PendingActionsOutlined'
import { DataTable, Pagination, SelectInput } from 'react-admin'
import { Cell } from '../components/Cell.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { isOver, type Job, statusNames, titleOf } from './job.ts'

const filters = [
  <SelectInput
    key="status"
    source="status"
    label="Status"
    alwaysOn
    emptyText="Any"
    choices={Object.entries(statusNames).map(([id, name]) => ({ id, name }))}
  />,
]

const number = new Intl.NumberFormat('en')

function progressOf({ done, total, failed }: Job): string {
  const share = total === null ? number.format(done) : `${number.format(done)} of ${number.format(total)}`
  return failed > 0 ? `${share}, ${number.format(failed)} with errors` : share
}

const queryOptions = {
  refetchInterval: (query: { state: { data?: { data?: readonly Job[] } | undefined } }) =>
    query.state.data?.data?.some((job) => !isOver(job)) === true ? 2_000 : false,
}

const nothing = (
  <EmptyState icon={Icon} title="No jobs yet">
    Imports and changes of many users are listed here for 90 days.
  </EmptyState>
)

/** Imports and changes of many users, the newest first. */
export function JobList() {
  const isPhone = useIsPhone()
  return (
    <List
      title="Jobs"
      sort={{ field: 'id', order: 'DESC' }}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      exporter={false}
      filters={filters}
      actions={false}
      empty={false}
      queryOptions={queryOptions as object}
    >
      <DataTable<Job> bulkActionButtons={false} rowClick="show" empty={nothing}>
        <DataTable.Col
          source="type"
          label="Job"
          disableSort
          render={(job: Job) => (
            <Cell to={`/jobs/${job.id}/show`} title={titleOf(job)}>
              {isPhone ? progressOf(job) : job.message}
            </Cell>
          )}
        />
        <DataTable.Col source="status" label="Status" disableSort render={({ status }: Job) => statusNames[status]} />
        {isPhone ? null : <DataTable.Col source="done" label="Progress" disableSort render={progressOf} />}
        {isPhone ? null : (
          <DataTable.Col
            source="created_at"
            label="Created"
            render={({ created_at }: Job) => <RelativeTime value={created_at} />}
          />
        )}
      </DataTable>
    </List>
  )
}
