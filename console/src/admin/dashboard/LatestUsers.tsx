import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { Face } from '../components/Face.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Row, Rows } from './Rows.tsx'
import { useStats } from './use-stats.ts'

/** The newest accounts. */
export function LatestUsers() {
  const { data, isPending, error } = useStats()
  return (
    <Rows
      title="Latest registrations"
      to="/users"
      isPending={isPending}
      error={error}
      none="Nobody has registered yet."
    >
      {(data?.latest_registrations ?? []).map((user) => (
        <Row key={user.id} start={<Face person={user} size={32} />} end={<RelativeTime value={user.created_at} />}>
          <Link component={RouterLink} to={`/users/${user.id}`} color="text.primary" underline="hover">
            {nameOf(user)}
          </Link>
          {nameOf(user) === user.email ? null : (
            <Typography variant="caption" component="p" noWrap>
              {user.email}
            </Typography>
          )}
        </Row>
      ))}
    </Rows>
  )
}
