import Icon from '@mui/icons-material/SearchOffOutlined'
import Button from '@mui/material/Button'
import { useListContext } from 'react-admin'
import { EmptyState } from '../../components/EmptyState.tsx'

/** Search and filters match nobody. The list itself is never empty: its reader is in it. */
export function NoMatch() {
  const { setFilters, setPage, filterValues } = useListContext()
  const isFiltered = Object.keys(filterValues).length > 0
  const clear = () => (isFiltered ? setFilters({}, {}) : setPage(1))
  return (
    <EmptyState
      icon={Icon}
      title={isFiltered ? 'No user matches' : 'This page of the list is empty'}
      action={
        <Button variant="outlined" onClick={clear}>
          {isFiltered ? 'Clear search and filters' : 'Go to the first page'}
        </Button>
      }
    >
      {isFiltered ? 'Names, usernames and email addresses are searched, in any part and any case.' : null}
    </EmptyState>
  )
}
