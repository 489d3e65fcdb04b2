import { useChangeFilters } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import { useListContext } from 'react-admin'

/** The filters in force, without what is searched for. */
export function useFilters(): object {
  const { search: _, ...filters } = useListContext().filterValues as Record<string, unknown>
  return filters
}

/** Takes the filters away, and leaves what is searched for. Stands where nothing moves when it comes. */
export function ClearFilters() {
  const change = useChangeFilters()
  return Object.keys(useFilters()).length === 0 ? null : (
    <Button onClick={() => change(({ search }) => ({ search }))}>Clear filters</Button>
  )
}
