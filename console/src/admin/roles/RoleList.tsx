import { List, useMay } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { DataTable, SearchInput, TopToolbar } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { Cell } from '../components/Cell.tsx'
import { NewButton } from '../components/NewButton.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Tag } from '../components/Tag.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { listAddress } from '../list-address.ts'
import { formatNumber } from '../numbers.ts'
import { isAdminRole, type Role, titleOf } from './grants.ts'

/** All of them at once: not a request for each row. */
const queryOptions = { meta: { include: 'permissions' } }

/** How many permissions, and which. */
function Grants({ role }: { role: Role }) {
  const names = (role.permissions ?? []).map(({ name }) => name)
  if (isAdminRole(role)) return <>All</>
  if (names.length === 0) return <>None</>
  const rest = names.length - 2
  return <>{names.slice(0, 2).join(', ') + (rest > 0 ? ` and ${rest} more` : '')}</>
}

/** A link to the users of the role, for readers who may see them. */
function UsersCount({ role }: { role: Role }) {
  const maySee = useMay('users.manage')
  if (!maySee || role.users_count === 0) return <>{formatNumber(role.users_count)}</>
  return (
    <Link
      component={RouterLink}
      to={listAddress('users', { role_id: role.id })}
      onClick={(event) => event.stopPropagation()}
      aria-label={`${role.users_count} with the role ${titleOf(role)}`}
    >
      {formatNumber(role.users_count)}
    </Link>
  )
}

function Actions() {
  const mayWrite = useMay('roles.manage')
  return mayWrite ? (
    <TopToolbar>
      <Button component={RouterLink} to="/permissions" variant="outlined">
        Compare permissions
      </Button>
      <NewButton to="/roles/create">New role</NewButton>
    </TopToolbar>
  ) : null
}

const filters = [<SearchInput key="search" source="search" alwaysOn placeholder="Search roles" />]

/** What users can be, with what each may do. */
export function RoleList() {
  const mayWrite = useMay('roles.manage')
  const isPhone = useIsPhone()
  return (
    <List
      title="Roles"
      sort={{ field: 'id', order: 'ASC' }}
      filters={filters}
      actions={<Actions />}
      queryOptions={queryOptions}
    >
      <DataTable<Role> bulkActionButtons={false} rowClick={mayWrite ? 'edit' : false}>
        <DataTable.Col
          source="name"
          label="Role"
          render={(role: Role) => (
            <Cell
              to={mayWrite ? `/roles/${role.id}` : undefined}
              title={titleOf(role)}
              end={role.removable ? null : <Tag>Built in</Tag>}
            >
              {role.description}
              {isPhone ? (
                <div>
                  May: <Grants role={role} />
                </div>
              ) : null}
            </Cell>
          )}
        />
        {isPhone ? null : (
          <DataTable.Col
            source="permissions"
            label="Permissions"
            disableSort
            render={(role: Role) => <Grants role={role} />}
          />
        )}
        <DataTable.NumberCol
          source="users_count"
          label="Users"
          disableSort
          render={(role: Role) => <UsersCount role={role} />}
        />
        {isPhone ? null : (
          <DataTable.Col
            source="created_at"
            label="Created"
            render={(role: Role) => <RelativeTime value={role.created_at} />}
          />
        )}
      </DataTable>
    </List>
  )
}
