import Avatar from '@mui/material/Avatar'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useListContext } from 'react-admin'
import { Link } from 'react-router'
import { nameOf } from '../../../api/user-name.ts'
import type { User } from '../../session.ts'
import { useRoles } from '../roles.ts'
import { StatusChip } from '../StatusChip.tsx'
import { NoMatch } from './NoMatch.tsx'

const edge = { borderBottom: '1px solid', borderColor: 'divider', px: 1.5, py: 1.25 } as const

/** The list on a phone: one card for each, which leads to the user. */
export function UserCards() {
  const { data, isPending, total } = useListContext<User>()
  const roles = useRoles()
  if (isPending) {
    return (
      <Box aria-busy="true">
        {[...Array(8).keys()].map((key) => (
          <Box key={key} sx={edge}>
            <Skeleton width="60%" />
            <Skeleton width="80%" />
          </Box>
        ))}
      </Box>
    )
  }
  if (total === 0 || data?.length === 0) return <NoMatch />
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, '& li:last-child a': { borderBottom: 0 } }}>
      {(data ?? []).map((user) => (
        <li key={user.id}>
          <Box
            component={Link}
            to={`/users/${user.id}`}
            sx={{
              ...edge,
              display: 'flex',
              alignItems: 'center',
              gap: 1.5,
              color: 'text.primary',
              textDecoration: 'none',
              '&:focus-visible': { outlineOffset: -2 },
            }}
          >
            <Avatar src={user.avatar} alt="" sx={{ width: 36, height: 36 }} slotProps={{ img: { loading: 'lazy' } }} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography noWrap sx={{ fontWeight: 550 }}>
                {nameOf(user)}
              </Typography>
              <Typography noWrap variant="caption" component="p">
                {user.email}
              </Typography>
            </Box>
            <Box sx={{ textAlign: 'right', flexShrink: 0 }}>
              <StatusChip status={user.status} />
              <Typography noWrap variant="caption" component="p" sx={{ maxWidth: 110 }}>
                {roles.find(({ id }) => id === user.role_id)?.title}
              </Typography>
            </Box>
          </Box>
        </li>
      ))}
    </Box>
  )
}
