import Box from '@mui/material/Box'
import { Fragment } from 'react'
import { useGetManyAggregate, useListContext } from 'react-admin'
import { nameOf } from '../../../api/user-name.ts'
import { formatNumber } from '../../numbers.ts'
import type { User } from '../../session.ts'

const most = 5

/** Who is selected and not on the page of the list that is shown; nobody while it is loaded. */
export function useElsewhere(): number[] {
  const { selectedIds, data = [], isPending } = useListContext<User>()
  const shown = new Set(data.map(({ id }) => id))
  return isPending ? [] : selectedIds.filter((id) => !shown.has(id))
}

/** Names the first of them, in a question about all who are selected. */
export function Elsewhere() {
  const ids = useElsewhere()
  const first = ids.slice(0, most)
  const { data, isPending } = useGetManyAggregate<User>('users', { ids: first }, { enabled: ids.length > 0 })
  if (ids.length === 0) return null
  const name = (id: number) => {
    const user = data?.find((one) => one?.id === id)
    return user === undefined ? `user ${id}` : nameOf(user)
  }
  const more = ids.length - first.length
  return (
    <Box sx={{ mt: 2, overflowWrap: 'anywhere' }}>
      Not on this page:{' '}
      {isPending
        ? '…'
        : first.map((id, at) => (
            <Fragment key={id}>
              {at === 0 ? null : ', '}
              <bdi>{name(id)}</bdi>
            </Fragment>
          ))}
      {more === 0 ? '' : ` and ${formatNumber(more)} more`}.
    </Box>
  )
}
