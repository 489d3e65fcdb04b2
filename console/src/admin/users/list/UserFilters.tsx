import { LiveFilters } from '@gatehouse/plugin-kit/console'
import Filter from '@mui/icons-material/FilterListOutlined'
import Search from '@mui/icons-material/Search'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import InputAdornment from '@mui/material/InputAdornment'
import { type ReactNode, useState } from 'react'
import { SelectInput, TextInput } from 'react-admin'
import { CountryInput, RoleInput } from '../inputs.tsx'
import { ClearFilters, useFilters } from './ClearFilters.tsx'
import { DateFilters } from './DateFilters.tsx'

const statuses = ['Active', 'Unconfirmed', 'Banned'].map((id) => ({ id, name: id }))

const twoFactor = [
  { id: 'on', name: 'On' },
  { id: 'off', name: 'Off' },
  { id: 'missing', name: 'Missing' },
]

const SearchField = () => (
  <Box sx={{ flex: '1 1 0', minWidth: { xs: 160, sm: 170 }, maxWidth: { sm: 300 } }}>
    <TextInput
      source="search"
      label={false}
      placeholder="Search users"
      type="search"
      resettable
      fullWidth
      helperText={false}
      slotProps={{
        htmlInput: {
          'aria-label': 'Search by name, username or email',
          autoComplete: 'off',
          spellCheck: false,
        },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
      sx={{ '& input::-webkit-search-cancel-button': { display: 'none' } }}
    />
  </Box>
)

const Filters = () => (
  <Box
    sx={{
      display: 'grid',
      gap: 1,
      minWidth: 0,
      width: { xs: '100%', sm: 'auto' },
      gridTemplateColumns: {
        xs: '1fr 1fr',
        sm: 'minmax(0, 126px) minmax(0, 130px) minmax(0, 150px) minmax(0, 104px) auto',
      },
      alignItems: 'center',
    }}
  >
    <SelectInput source="status" label="Status" choices={statuses} helperText={false} emptyText="Any" />
    <RoleInput source="role_id" isAnyAllowed helperText={false} />
    <CountryInput source="country_id" helperText={false} />
    <SelectInput source="two_factor" label="2FA" choices={twoFactor} helperText={false} emptyText="Any" />
    <DateFilters />
  </Box>
)

// Constants: React does not re-render the same element when the rows change.
const searchField = <SearchField />
const filters = <Filters />

interface Props {
  readonly isPhone: boolean
  /** At the right. */
  readonly children: ReactNode
}

/** Search and filters, applied while typing; on a phone the filters are behind a button. */
export function UserFilters({ isPhone, children }: Props) {
  const count = Object.keys(useFilters()).length
  const [isOpen, setOpen] = useState(count > 0)
  const toggle = (
    <Button
      variant="outlined"
      onClick={() => setOpen(!isOpen)}
      aria-expanded={isOpen}
      aria-label={count > 0 ? `Filters, ${count} in force` : 'Filters'}
      sx={{ minWidth: 0, height: 38 }}
    >
      <Badge badgeContent={count === 0 ? undefined : count} color="primary">
        <Filter fontSize="small" />
      </Badge>
    </Button>
  )
  return (
    <LiveFilters>
      <Box
        role="search"
        aria-label="Users"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 1,
          pt: 1, // the labels of filled fields reach above them
          pb: 1.5,
          '& .MuiFormControl-root.MuiFormControl-root, & .MuiAutocomplete-root': { m: 0, width: '100%', minWidth: 0 },
        }}
      >
        {searchField}
        {isPhone ? toggle : null}
        {isPhone && !isOpen ? null : filters}
        {isPhone ? <ClearFilters /> : null}
        <Box sx={{ display: 'flex', gap: 1, ml: 'auto' }}>{children}</Box>
      </Box>
    </LiveFilters>
  )
}
