import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'
import { useListContext } from 'react-admin'
import { formatNumber } from '../../numbers.ts'
import { ClearFilters } from './ClearFilters.tsx'
import { ImportChip } from './ImportFilter.tsx'
import { SelectPage } from './Selection.tsx'

const orders = [
  { id: 'created_at DESC', name: 'Newest first' },
  { id: 'created_at ASC', name: 'Oldest first' },
  { id: 'first_name ASC', name: 'First name, A to Z' },
  { id: 'first_name DESC', name: 'First name, Z to A' },
  { id: 'last_name ASC', name: 'Last name, A to Z' },
  { id: 'last_name DESC', name: 'Last name, Z to A' },
  { id: 'email ASC', name: 'Email, A to Z' },
  { id: 'email DESC', name: 'Email, Z to A' },
  { id: 'username ASC', name: 'Username, A to Z' },
  { id: 'username DESC', name: 'Username, Z to A' },
  { id: 'last_login DESC', name: 'Signed in last' },
  { id: 'last_login ASC', name: 'Signed in longest ago' },
  { id: 'status ASC', name: 'Status, Active first' },
  { id: 'status DESC', name: 'Status, Unconfirmed first' },
  { id: 'updated_at DESC', name: 'Changed last' },
  { id: 'updated_at ASC', name: 'Unchanged longest' },
  { id: 'id ASC', name: 'ID, ascending' },
  { id: 'id DESC', name: 'ID, descending' },
] as const

/** How the list is sorted, and the way to sort it otherwise. */
function Order() {
  const { sort, setSort } = useListContext()
  const change = (id: string) => {
    const [field = 'created_at', order] = id.split(' ')
    setSort({ field, order: order === 'ASC' ? 'ASC' : 'DESC' })
  }
  return (
    <TextField
      select
      variant="standard"
      margin="none"
      value={`${sort.field} ${sort.order}`}
      onChange={({ target }) => change(target.value)}
      slotProps={{ input: { disableUnderline: true }, htmlInput: { 'aria-label': 'Sort' } }}
      sx={{ '& .MuiSelect-select': { fontSize: '0.8125rem', color: 'text.secondary', py: 0.5 } }}
    >
      {orders.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

interface Props {
  readonly isPhone: boolean
  /** At the right. */
  readonly children: ReactNode
}

/** Above the rows: how many there are, and in which order. On a phone also the checkbox for all of them, because there is no heading. */
export function ListSummary({ isPhone, children }: Props) {
  const { total, filterValues, data } = useListContext()
  const isFiltered = Object.keys(filterValues).length > 0
  const noun = total === 1 ? 'user' : 'users'
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 1,
        minHeight: 44,
        px: { xs: 1, sm: 1.5 },
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      {isPhone && data !== undefined && data.length > 0 ? (
        <Box sx={{ pl: 0.5, pr: 0.5 }}>
          <SelectPage />
        </Box>
      ) : null}
      <Box sx={{ flex: 1, display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box role="status" sx={{ fontWeight: 600, fontSize: '0.8125rem' }}>
          {total === undefined ? '' : `${formatNumber(total)} ${isFiltered ? `${noun} found` : noun}`}
        </Box>
        {isPhone ? null : <ClearFilters />}
      </Box>
      <Order />
      {children}
      {filterValues.import_id === undefined ? null : (
        <Box sx={{ order: { sm: -1 }, flexBasis: { xs: '100%', sm: 'auto' }, pb: { xs: 1, sm: 0 } }}>
          <ImportChip />
        </Box>
      )}
    </Box>
  )
}
