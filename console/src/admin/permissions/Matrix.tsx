import { LoadError } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { Pagination, useListContext } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { type Permission, type Role, titleOf, useGrantsOf } from '../roles/grants.ts'
import { GrantCheck } from './GrantCheck.tsx'
import { PermissionName } from './PermissionName.tsx'
import { SaveBar } from './SaveBar.tsx'
import { useDrafts } from './use-drafts.ts'

const firstWidth = { xs: '168px', sm: '260px' }

/** Stays in view while the roles scroll by. */
const firstColumn = { position: 'sticky', left: 0, zIndex: 1, bgcolor: 'background.paper' } as const

/** Roles across, permissions down, a check box for each pair. Nothing takes effect before it is saved. */
export function Matrix({ permissions }: { permissions: readonly Permission[] }) {
  const { data, isPending, error, total = 0 } = useListContext<Role>()
  const roles = data ?? []
  const { grants, error: grantsError } = useGrantsOf(roles.map(({ id }) => id))
  const drafts = useDrafts(permissions)
  const failed = error ?? grantsError
  if (isPending) return <Skeleton variant="rounded" height={420} />
  if (data === undefined) return <LoadError error={failed} what="The roles" />
  return (
    <>
      <LoadError error={failed} what="Some of this" />
      <Paper sx={{ overflow: 'hidden' }}>
        {/* A region that scrolls has to be reached by keyboard. What has the focus is not behind the first column. */}
        <Box
          role="region"
          aria-label="Permissions of roles"
          tabIndex={0}
          sx={{ overflowX: 'auto', scrollPaddingLeft: firstWidth, '&:focus-visible': { outlineOffset: -2 } }}
        >
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell sx={{ ...firstColumn, minWidth: firstWidth }}>Permission</TableCell>
                {roles.map((role) => (
                  <TableCell
                    key={role.id}
                    align="center"
                    sx={{ minWidth: 136, maxWidth: 160, overflowWrap: 'anywhere', lineHeight: 1.3 }}
                  >
                    <Link component={RouterLink} to={`/roles/${role.id}`} color="text.primary" underline="hover">
                      {titleOf(role)}
                    </Link>
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {permissions.map((permission) => (
                <TableRow key={permission.id} hover sx={{ '&:last-child th': { borderBottom: 0 } }}>
                  <TableCell component="th" scope="row" sx={{ ...firstColumn, fontWeight: 400 }}>
                    <PermissionName permission={permission} />
                  </TableCell>
                  {roles.map((role) => (
                    <TableCell key={role.id} align="center" sx={{ py: 0.25 }}>
                      <GrantCheck
                        role={role}
                        permission={permission}
                        stored={grants.get(role.id)}
                        draft={drafts.of(role)}
                        onToggle={(stored) => drafts.toggle(role, permission.name, stored)}
                      />
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
        {total > roles.length ? <Pagination rowsPerPageOptions={[8, 16]} /> : null}
      </Paper>
      <SaveBar drafts={drafts} />
    </>
  )
}
