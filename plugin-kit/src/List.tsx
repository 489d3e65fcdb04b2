import type { ReactNode } from 'react'
import { List as AnyList, type ListProps, type RaRecord, useListContext } from 'react-admin'
import { LoadError } from './LoadError.tsx'

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

/** react-admin's list that tells a failure from emptiness. */
export const List = <T extends RaRecord = RaRecord>({ children, queryOptions, ...props }: ListProps<T>) => (
  <AnyList<T> {...props} queryOptions={{ ...quiet, ...queryOptions } as ListProps<T>['queryOptions']}>
    <ListContent>{children as ReactNode}</ListContent>
  </AnyList>
)
