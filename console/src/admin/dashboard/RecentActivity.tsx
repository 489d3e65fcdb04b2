import { useGetList } from 'react-admin'
import { useNames, WithNames } from '../activity/names.tsx'
import { type Activity, Sentence } from '../activity/Sentence.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Row, Rows } from './Rows.tsx'

/** What was done last, and by whom. */
export function RecentActivity() {
  const { data, isPending, error } = useGetList<Activity>('activity', {
    sort: { field: 'id', order: 'DESC' },
    pagination: { page: 1, perPage: 7 },
  })
  const names = useNames(data)
  return (
    <WithNames names={names}>
      <Rows
        title="Recent activity"
        to="/activity"
        isPending={isPending || names === undefined}
        error={error}
        none="Nothing has happened yet."
      >
        {(data ?? []).map((activity) => (
          <Row key={activity.id} end={<RelativeTime value={activity.created_at} />}>
            <Sentence activity={activity} />
          </Row>
        ))}
      </Rows>
    </WithNames>
  )
}
