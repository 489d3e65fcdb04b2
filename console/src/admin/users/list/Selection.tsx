import Checkbox from '@mui/material/Checkbox'
import type { MouseEvent } from 'react'
import { useDataTableCallbacksContext, useDataTableSelectedIdsContext, useListContext } from 'react-admin'
import { nameOf } from '../../../api/user-name.ts'
import type { User } from '../../session.ts'

/** Selects a user; with the shift key, all from the last one to here. */
export function SelectUser({ user }: { user: User }) {
  const selectedIds = useDataTableSelectedIdsContext() ?? []
  const { handleToggleItem } = useDataTableCallbacksContext()
  return (
    <Checkbox
      checked={selectedIds.includes(user.id)}
      onClick={(event) => {
        event.stopPropagation() // the row would open the user
        handleToggleItem?.(user.id, event as unknown as MouseEvent<HTMLInputElement>)
      }}
      slotProps={{ input: { 'aria-label': `Select ${nameOf(user)}` } }}
      sx={{ p: 0.75, m: -0.75 }}
    />
  )
}

/** The same in a list without a table: on a phone. */
export function SelectCard({ user }: { user: User }) {
  const { selectedIds, onToggleItem } = useListContext<User>()
  return (
    <Checkbox
      checked={selectedIds.includes(user.id)}
      onChange={() => onToggleItem(user.id)}
      slotProps={{ input: { 'aria-label': `Select ${nameOf(user)}` } }}
    />
  )
}

/** Selects all users on this page; those selected on other pages stay selected. */
export function SelectPage() {
  const { data = [], selectedIds, onSelect } = useListContext<User>()
  const here = data.map(({ id }) => id)
  const count = here.filter((id) => selectedIds.includes(id)).length
  const others = selectedIds.filter((id) => !here.includes(id as number))
  return (
    <Checkbox
      checked={count > 0 && count === here.length}
      indeterminate={count > 0 && count < here.length}
      onChange={(_, isChecked) => onSelect(isChecked ? [...others, ...here] : others)}
      slotProps={{ input: { 'aria-label': 'Select everybody on this page' } }}
      sx={{ p: 0.75, m: -0.75 }}
    />
  )
}
