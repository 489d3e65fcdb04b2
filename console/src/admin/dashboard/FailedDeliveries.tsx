import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useGetList } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { titleOf } from '../deliveries/delivery.ts'
import { Row, Rows } from './Rows.tsx'

/** Mail and SMS that were given up: somebody waits for them. */
export function FailedDeliveries() {
  const { data, isPending, error } = useGetList('deliveries', {
    filter: { status: 'failed' },
    sort: { field: 'id', order: 'DESC' },
    pagination: { page: 1, perPage: 5 },
  })
  return (
    <Rows
      title="Failed deliveries"
      to={`/deliveries?filter=${encodeURIComponent('{"status":"failed"}')}`}
      isPending={isPending}
      error={error}
      none="Nothing has failed."
    >
      {(data ?? []).map(({ id, recipient, subject, template, last_error, updated_at }) => (
        <Row key={id} end={<RelativeTime value={updated_at} />}>
          <Link component={RouterLink} to={`/deliveries/${id}/show`} color="text.primary" underline="hover">
            {titleOf({ subject, template })}, to {recipient}
          </Link>
          <Typography variant="caption" component="p" noWrap>
            {last_error}
          </Typography>
        </Row>
      ))}
    </Rows>
  )
}
