import type { ReactElement, ReactNode } from 'react'
import {
  List as AnyList,
  FilterContext,
  FilterFormBase,
  type ListProps,
  type RaRecord,
  useFilterContext,
  useListContext,
} from 'react-admin'
import { ChangingFilters, LiveFilters } from './LiveFilters.tsx'
import { LoadError } from './LoadError.tsx'
import { Pages } from './Pages.tsx'

/** The rows of a list, or why they could not be loaded. Rows that were there before stay. */
export function ListContent({ children }: { children?: ReactNode }) {
  const { data, error } = useListContext()
  if (error == null) return children
  return (
    <>
      <LoadError error={error} what="The list" />
      {data === undefined ? null : children}
    </>
  )
}

/** What went wrong is shown in place: react-admin's notification would say it twice. */
const quiet = { onError: () => {} }

const pages = <Pages />

/** As react-admin's form of filters looks. */
const look = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-end',
  flex: { xs: '0 1 auto', md: '0 1 100%' },
  width: { xs: '100%', sm: 'auto' },
  minHeight: { sm: 64 },
  pb: 0.5,
  pointerEvents: 'none',
  '& .MuiFormHelperText-root': { display: 'none' },
  '& .RaFilterForm-filterFormInput .MuiFormControl-root': { mt: 1 },
} as const

function Filters() {
  const filters = useFilterContext()
  return (
    <ChangingFilters>
      <LiveFilters sx={look}>
        <FilterFormBase filters={filters} />
      </LiveFilters>
    </ChangingFilters>
  )
}

/** Takes no props: react-admin adds its own. */
const Actions = ({ children }: { children: ReactNode }) => children

/** In place of react-admin's toolbar, whose form of filters undoes what is done right after typing. */
const toolbarOf = ({ filters, actions }: Pick<ListProps, 'filters' | 'actions'>) =>
  Array.isArray(filters)
    ? { filters: <Filters />, ...(actions ? { actions: <Actions>{actions}</Actions> } : { actions }) }
    : { filters, actions }

/** react-admin's list that tells a failure from emptiness. 25 rows at a time and no export, unless said otherwise. */
export const List = <T extends RaRecord = RaRecord>({
  children,
  queryOptions,
  filters,
  actions,
  ...props
}: ListProps<T>) => (
  <FilterContext.Provider value={filters as ReactElement[]}>
    <AnyList<T>
      perPage={25}
      pagination={pages}
      exporter={false}
      {...props}
      {...(toolbarOf({ filters, actions }) as object)}
      queryOptions={{ ...quiet, ...queryOptions } as ListProps<T>['queryOptions']}
    >
      <ListContent>{children as ReactNode}</ListContent>
    </AnyList>
  </FilterContext.Provider>
)
