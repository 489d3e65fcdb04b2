import { memo, type ReactNode, useMemo } from 'react'
import { DataTable } from 'react-admin'
import type { User } from '../../session.ts'
import { cellOf, columnFields } from '../fields.tsx'
import { useLookup } from '../lookup.ts'
import { useColumns } from './columns.ts'
import { NoMatch } from './NoMatch.tsx'
import { SelectPage, SelectUser } from './Selection.tsx'

/** The columns: the same elements until one of them changes, so that no row is drawn again for nothing. */
function useColumnElements(): readonly ReactNode[] {
  const [shown] = useColumns()
  const lookup = useLookup()
  const names = [...shown].join(',')
  return useMemo(() => {
    const wanted = names.split(',')
    return columnFields
      .filter(({ name }) => wanted.includes(name))
      .map((field) => (
        <DataTable.Col
          key={field.name}
          source={field.sortBy ?? field.name} // what is sorted by
          label={field.label}
          disableSort={field.sortBy === undefined}
          render={(user: unknown) => cellOf(field, user as User, lookup)}
        />
      ))
  }, [names, lookup])
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

const noToolbar = <></> // `BulkBar` stays where no row is left
const nobody = <NoMatch />
const look = {
  '& .MuiTableCell-root': { whiteSpace: 'nowrap', px: 1.25 },
  '& tbody tr:has(input:checked)': { bgcolor: 'action.selected' },
  '& .selection': { width: 42, pr: 0 },
  '& td': { maxWidth: 'max(190px, 14vw)', overflow: 'hidden', textOverflow: 'ellipsis', height: 45 },
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
      bulkActionsToolbar={noToolbar}
      bulkActionButtons={false} // their check boxes are all called alike: ours, in the first column, name the user
      sx={look}
    >
      {children}
    </DataTable>
  )
})
