import { LoadError } from '@gatehouse/plugin-kit/console'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { Pagination, useListContext } from 'react-admin'
import { Link as RouterLink, useSearchParams } from 'react-router'
import { type Permission, type Role, titleOf, useGrantsOf } from '../roles/grants.ts'
import { ranked } from '../users/rank.ts'
import { type RoleChoice, useRoleChoices } from '../users/roles.ts'
import { GrantCheck } from './GrantCheck.tsx'
import { PermissionName } from './PermissionName.tsx'
import { SaveBar } from './SaveBar.tsx'
import { useDrafts } from './use-drafts.ts'

const firstWidth = { xs: '168px', sm: '260px' }

/** Stays in view while the roles scroll by. */
const firstColumn = { position: 'sticky', left: 0, zIndex: 1, bgcolor: 'background.paper' } as const

const parameter = 'roles'
const titleOfChoice = ({ title }: RoleChoice): string => title

/** The roles that are compared, which the address names, too. None: all, page by page. */
function useChosen() {
  const { data: choices = [], isPending } = useRoleChoices()
  const [query, setQuery] = useSearchParams()
  const [ids, setIds] = useState(() => (query.get(parameter) ?? '').split(',').filter((id) => id !== ''))
  const choose = (roles: readonly RoleChoice[]) => {
    const next = roles.map(({ id }) => String(id))
    setIds(next)
    setQuery(next.length === 0 ? {} : { [parameter]: next.join(',') }, { replace: true })
  }
  const chosen = ids.flatMap((id) => choices.find((role) => String(role.id) === id) ?? [])
  return { choices, chosen, choose, isPending: isPending && ids.length > 0 }
}

function RolePicker({ choices, chosen, choose }: ReturnType<typeof useChosen>) {
  return (
    <Autocomplete
      multiple
      options={choices}
      value={chosen}
      onChange={(_, roles) => choose(roles)}
      getOptionLabel={titleOfChoice}
      getOptionKey={({ id }) => id}
      filterOptions={(options, { inputValue }) => ranked(options, inputValue, titleOfChoice)}
      renderInput={(props) => <TextField {...props} label="Roles to compare" />}
      sx={{ mb: 1.5 }}
    />
  )
}

/** Roles across, permissions down, a check box for each pair. Nothing takes effect before it is saved. */
export function Matrix({ permissions }: { permissions: readonly Permission[] }) {
  const { data, isPending, error, total = 0 } = useListContext<Role>()
  const chosen = useChosen()
  const roles: readonly Role[] = chosen.chosen.length > 0 ? chosen.chosen : (data ?? [])
  const { grants, error: grantsError } = useGrantsOf(roles.map(({ id }) => id))
  const drafts = useDrafts(permissions)
  const failed = error ?? grantsError
  if (isPending || chosen.isPending) return <Skeleton variant="rounded" height={420} />
  if (data === undefined) return <LoadError error={failed} what="The roles" />
  return (
    <>
      <LoadError error={failed} what="Some of this" />
      {total > data.length ? <RolePicker {...chosen} /> : null}
      <Paper sx={{ overflow: 'hidden' }}>
        {/* A region that scrolls has to be reached by keyboard. What has the focus is not behind the first column. */}
        <Box
          role="region"
          aria-label="Permissions of roles"
          tabIndex={0}
          sx={{
            overflow: 'auto',
            maxHeight: '80vh',
            scrollPaddingLeft: firstWidth,
            scrollPaddingTop: 96,
            '&:focus-visible': { outlineOffset: -2 },
          }}
        >
          <Table size="small" stickyHeader>
            <TableHead>
              <TableRow>
                <TableCell sx={{ ...firstColumn, zIndex: 3, minWidth: firstWidth }}>Permission</TableCell>
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
        {total > data.length && chosen.chosen.length === 0 ? <Pagination rowsPerPageOptions={[8, 16]} /> : null}
      </Paper>
      <SaveBar drafts={drafts} />
    </>
  )
}
