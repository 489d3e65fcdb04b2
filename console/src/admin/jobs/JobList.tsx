import { List } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/PendingActionsOutlined'
import Button from '@mui/material/Button'
import { DataTable, useListContext } from 'react-admin'
import { Link } from 'react-router'
import { Cell } from '../components/Cell.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { refetchWhile } from '../components/refetch-while.ts'
import { statusFilter } from '../components/status-filter.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { formatNumber } from '../numbers.ts'
import { JobStatus } from './JobStatus.tsx'
import { isUnderWay, type Job, statuses, titleOf } from './job.ts'

const filters = [statusFilter(statuses)]

function progressOf({ done, total, failed }: Job): string {
  const share = total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`
  return failed > 0 ? `${share}, ${formatNumber(failed)} with errors` : share
}

const queryOptions = refetchWhile(isUnderWay, 2_000)

function Empty() {
  const { filterValues } = useListContext()
  if (Object.keys(filterValues).length > 0) {
    return (
      <EmptyState icon={Icon} title="No job matches">
        Choose another status to see more.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Icon}
      title="No jobs yet"
      action={
        <Button variant="contained" component={Link} to="/import-users">
          Import users
        </Button>
      }
    >
      Imports and changes of many users are listed here for 90 days.
    </EmptyState>
  )
}

/** Imports and changes of many users, the newest first. */
export function JobList() {
  const isPhone = useIsPhone()
  return (
    <List
      title="Jobs"
      sort={{ field: 'id', order: 'DESC' }}
      filters={filters}
      actions={false}
      empty={false}
      queryOptions={queryOptions}
    >
      <DataTable<Job> bulkActionButtons={false} rowClick="show" empty={<Empty />}>
        <DataTable.Col
          source="type"
          label="Job"
          disableSort
          render={(job: Job) => (
            <Cell to={`/jobs/${job.id}/show`} title={titleOf(job)}>
              {isPhone ? (
                <>
                  {progressOf(job)} · <RelativeTime value={job.created_at} />
                </>
              ) : (
                job.message
              )}
            </Cell>
          )}
        />
        {isPhone ? null : <DataTable.Col source="done" label="Progress" disableSort render={progressOf} />}
        <DataTable.Col
          source="status"
          label="Status"
          disableSort
          render={({ status }: Job) => <JobStatus status={status} />}
        />
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
