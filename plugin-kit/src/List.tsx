import type { ReactNode } from 'react'
import { List as AnyList, type ListProps, type RaRecord, useListContext } from 'react-admin'
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

/** react-admin's list that tells a failure from emptiness. 25 rows at a time and no export, unless said otherwise. */
export const List = <T extends RaRecord = RaRecord>({ children, queryOptions, ...props }: ListProps<T>) => (
  <AnyList<T>
    perPage={25}
    pagination={pages}
    exporter={false}
    {...props}
    queryOptions={{ ...quiet, ...queryOptions } as ListProps<T>['queryOptions']}
  >
    <ListContent>{children as ReactNode}</ListContent>
  </AnyList>
)
