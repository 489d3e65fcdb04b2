import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useListContext } from 'react-admin'
import { Link } from 'react-router'
import { nameOf } from '../../../api/user-name.ts'
import { Face } from '../../components/Face.tsx'
import type { User } from '../../session.ts'
import { useRoles } from '../roles.ts'
import { StatusChip } from '../StatusChip.tsx'
import { NoMatch } from './NoMatch.tsx'
import { SelectCard } from './Selection.tsx'

const edge = { borderBottom: '1px solid', borderColor: 'divider', pl: 0.5, pr: 1.5, py: 1.25 } as const

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
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, '& li:last-of-type': { borderBottom: 0 } }}>
      {(data ?? []).map((user) => (
        <Box component="li" key={user.id} sx={{ display: 'flex', alignItems: 'center', ...edge }}>
          <SelectCard user={user} />
          <Box
            component={Link}
            to={`/users/${user.id}`}
            sx={{
              display: 'flex',
              flex: 1,
              minWidth: 0,
              pl: 0.5,
              flexWrap: 'wrap', // where the text is large
              alignItems: 'center',
              columnGap: 1.5,
              color: 'text.primary',
              textDecoration: 'none',
              '&:focus-visible': { outlineOffset: -2 },
            }}
          >
            <Face person={user} size={36} />
            <Box sx={{ flex: '1 1 5em', minWidth: 0 }}>
              <Typography noWrap sx={{ fontWeight: 550 }}>
                {nameOf(user)}
              </Typography>
              <Typography noWrap variant="caption" component="p">
                {user.email}
              </Typography>
            </Box>
            <Box sx={{ textAlign: 'right', ml: 'auto', flexShrink: 0 }}>
              <StatusChip status={user.status} />
              <Typography noWrap variant="caption" component="p" sx={{ maxWidth: '8.5em' }}>
                {roles.find(({ id }) => id === user.role_id)?.title}
              </Typography>
            </Box>
          </Box>
        </Box>
      ))}
    </Box>
  )
}
