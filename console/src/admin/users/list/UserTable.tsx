import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { memo, type ReactNode, useMemo } from 'react'
import { DataTable } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../../api/user-name.ts'
import { Face } from '../../components/Face.tsx'
import { RelativeTime, toDate } from '../../components/RelativeTime.tsx'
import type { User } from '../../session.ts'
import { type Country, flagOf, useCountries } from '../inputs.tsx'
import { type RoleChoice, useRoles } from '../roles.ts'
import { StatusChip } from '../StatusChip.tsx'
import { BulkBar } from './BulkBar.tsx'
import { type Column, columns, useColumns } from './columns.ts'
import { NoMatch } from './NoMatch.tsx'
import { SelectPage, SelectUser } from './Selection.tsx'

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The name is the way to the user for who has no mouse; a click anywhere on the row is for who has. */
const Name = ({ user }: { user: User }) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
    <Face person={user} size={28} />
    <Link
      component={RouterLink}
      to={`/users/${user.id}`}
      onClick={(event) => event.stopPropagation()}
      color="text.primary"
      underline="hover"
      noWrap
      sx={{ fontWeight: 550, maxWidth: 165 }}
    >
      {nameOf(user)}
    </Link>
  </Box>
)

const Day = ({ value }: { value: string }) => (
  <time dateTime={toDate(value).toISOString()} title={`${value} UTC`}>
    {dayFormat.format(toDate(value))}
  </time>
)

const none = (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
)

interface Cell {
  readonly sortBy?: string
  readonly render: (user: User) => ReactNode
}

/** How a cell of each column looks, and what its heading sorts by (nothing: the API cannot). */
function cellsOf(roles: readonly RoleChoice[], countries: readonly Country[]): Record<Column, Cell> {
  const country = (id: number | null) => countries.find((one) => one.id === id)
  return {
    id: { sortBy: 'id', render: ({ id }) => id },
    name: { sortBy: 'first_name', render: (user) => <Name user={user} /> },
    first_name: { sortBy: 'first_name', render: ({ first_name }) => first_name ?? none },
    last_name: { sortBy: 'last_name', render: ({ last_name }) => last_name ?? none },
    username: { sortBy: 'username', render: ({ username }) => username ?? none },
    email: { sortBy: 'email', render: ({ email }) => <span title={email}>{email}</span> },
    role: { render: ({ role_id }) => roles.find(({ id }) => id === role_id)?.title ?? none },
    status: { sortBy: 'status', render: ({ status }) => <StatusChip status={status} /> },
    country: {
      render: ({ country_id }) => {
        const found = country_id === null ? undefined : country(country_id)
        return found === undefined ? none : `${flagOf(found)} ${found.name}`
      },
    },
    phone: { render: ({ phone }) => phone ?? none },
    last_login: {
      sortBy: 'last_login',
      render: ({ last_login }) => (last_login === null ? none : <RelativeTime value={last_login} />),
    },
    created_at: { sortBy: 'created_at', render: ({ created_at }) => <Day value={created_at} /> },
    updated_at: { sortBy: 'updated_at', render: ({ updated_at }) => <Day value={updated_at} /> },
  }
}

/** The columns: the same elements until something of them changes, so that no row is drawn again for nothing. */
function useColumnElements(): readonly ReactNode[] {
  const [shown] = useColumns()
  const roles = useRoles()
  const countries = useCountries()
  const names = [...shown].join(',')
  return useMemo(() => {
    const cells = cellsOf(roles, countries)
    return (names.split(',') as Column[]).map((column) => {
      const { sortBy, render } = cells[column]
      return (
        <DataTable.Col
          key={column}
          source={sortBy ?? column} // what is sorted by
          label={columns[column]}
          disableSort={sortBy === undefined}
          render={render as (user: unknown) => ReactNode}
        />
      )
    })
  }, [names, roles, countries])
}

const selection = (
  <DataTable.Col
    key="selection"
    source="selection"
    disableSort
    label={<SelectPage />}
    headerClassName="selection"
    cellClassName="selection"
    render={(user: User) => <SelectUser user={user} />}
  />
)

const toolbar = <BulkBar />
const nobody = <NoMatch />
const look = {
  '& .MuiTableCell-root': { whiteSpace: 'nowrap', px: 1.25 },
  '& tbody tr:has(input:checked)': { bgcolor: 'action.selected' },
  '& .selection': { width: 42, pr: 0 },
  '& td': { maxWidth: 190, overflow: 'hidden', textOverflow: 'ellipsis', height: 45 },
  '& .RaDataTable-clickableRow': { cursor: 'pointer' },
} as const

/** The list as a table, with the columns that were chosen. */
export const UserTable = memo(function UserTable() {
  const elements = useColumnElements()
  const children = useMemo(() => [selection, ...elements], [elements])
  return (
    <DataTable<User>
      storeKey="users.table"
      rowClick="edit"
      empty={nobody}
      bulkActionsToolbar={toolbar}
      bulkActionButtons={false} // their check boxes are all called alike: ours, in the first column, name the user
      sx={look}
    >
      {children}
    </DataTable>
  )
})
