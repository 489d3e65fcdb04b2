import { LoadError, useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import InputBase from '@mui/material/InputBase'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { call } from '../data-provider.ts'
import type { User } from '../session.ts'
import { ranked } from '../users/rank.ts'
import type { Entry } from './entries.ts'

const pauseMs = 120
const mostUsers = 6

/** Those whose name or address has what is typed, once typing pauses. */
function useUsers(typed: string) {
  const mayUsers = useMay('users.manage')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { data, error, isFetching } = useQuery({
    queryKey: ['users', 'palette', search],
    queryFn: ({ signal }) =>
      call<{ data: User[] }>('GET', '/users', { query: { 'filter[search]': search, per_page: mostUsers }, signal }),
    enabled: mayUsers && search.length > 1,
  })
  const found = search === typed.trim() ? (data?.data ?? []) : [] // those of another search are not to be chosen
  const users = found.map(
    (user): Entry => ({
      id: `user-${user.id}`,
      group: 'Users',
      label: nameOf(user),
      hint: user.email,
      to: `/users/${user.id}`,
    }),
  )
  const isSearching = mayUsers && typed.trim().length > 1 && (isFetching || search !== typed.trim())
  return { users, error, isSearching }
}

interface RowProps {
  readonly id: string
  readonly entry: Entry
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onClick: () => void
}

const Row = ({ id, entry, isChosen, onPoint, onClick }: RowProps) => (
  <Box
    role="option"
    id={id}
    aria-selected={isChosen}
    onMouseMove={onPoint}
    onClick={onClick}
    sx={{
      display: 'flex',
      gap: 1.5,
      px: 2,
      py: 1,
      mx: 1,
      borderRadius: 1,
      cursor: 'pointer',
      bgcolor: isChosen ? 'action.selected' : undefined,
      '& span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    }}
  >
    <Box component="span" sx={{ fontWeight: 550 }}>
      {entry.label}
    </Box>
    <Box component="span" sx={{ color: 'text.secondary', ml: 'auto' }}>
      {entry.hint ?? entry.group}
    </Box>
  </Box>
)

/** Goes to any page or user, and does any action, by typing a part of what it is called. */
export function Palette({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { users, error, isSearching } = useUsers(typed)
  const shown = [...ranked(entries, typed, ({ label, also = '' }) => `${label} ${also}`), ...users]
  const chosen = Math.min(at, shown.length - 1)
  const isEmpty = shown.length === 0 && error === null

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    if (entry.to !== undefined) navigate(entry.to)
    entry.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && shown.length > 0) {
      event.preventDefault()
      setAt((chosen + step + shown.length) % shown.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(shown[chosen])
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': 'Command palette' } }}
      fullWidth
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'start' }, '& .MuiDialog-paper': { mt: { xs: 2, sm: '12vh' } } }}
    >
      <InputBase
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder="Go to a page or a user, or do something"
        inputProps={{
          role: 'combobox',
          'aria-label': 'Page, action or user',
          'aria-expanded': true,
          'aria-controls': id,
          'aria-autocomplete': 'list',
          'aria-activedescendant': shown.length === 0 ? undefined : `${id}-${chosen}`,
          spellCheck: false,
          autoComplete: 'off',
        }}
        sx={{ px: 2.5, py: 1.5, fontSize: '1rem', borderBottom: '1px solid', borderColor: 'divider' }}
      />
      <LoadError error={users.length === 0 ? error : null} what="The users" />
      <Box ref={list} role="listbox" id={id} aria-label="Found" sx={{ py: 1, maxHeight: '50vh', overflowY: 'auto' }}>
        {shown.map((entry, index) => (
          <Row
            key={entry.id}
            id={`${id}-${index}`}
            entry={entry}
            isChosen={index === chosen}
            onPoint={() => setAt(index)}
            onClick={() => run(entry)}
          />
        ))}
      </Box>
      <Box role="status" sx={{ px: 2.5, pb: isEmpty ? 2 : 0, color: 'text.secondary' }}>
        {isEmpty ? (isSearching ? 'Searching…' : 'Nothing has this name.') : ''}
      </Box>
    </Dialog>
  )
}
