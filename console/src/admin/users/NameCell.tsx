import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { Face } from '../components/Face.tsx'
import type { User } from '../session.ts'

/** The name is a link for keyboards and screen readers; a click anywhere on the row opens the user, too. */
export const NameCell = ({ user }: { user: User }) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
    <Face person={user} size={28} />
    <Link
      component={RouterLink}
      to={`/users/${user.id}`}
      onClick={(event) => event.stopPropagation()}
      color="text.primary"
      underline="hover"
      noWrap
      sx={{ fontWeight: 550, maxWidth: 'max(165px, 12vw)' }}
    >
      {nameOf(user)}
    </Link>
  </Box>
)
