import Close from '@mui/icons-material/Close'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { type Identifier, useListContext } from 'react-admin'
import { call } from '../../data-provider.ts'
import { ReasonField } from '../ReasonField.tsx'
import { ranked } from '../rank.ts'
import { type RoleChoice, useRoles } from '../roles.ts'
import { AllDialog } from './all/AllDialog.tsx'
import { BulkDialog, people } from './BulkDialog.tsx'
import { changeOf } from './bulk.ts'

interface AskProps {
  readonly count: number
  /** Everybody who matches, not those who are ticked. */
  readonly isAll: boolean
  readonly onClose: () => void
}

const banText = 'They are signed out at once and can no longer sign in. Their API keys are revoked for good.'

function Ban({ count, isAll, onClose }: AskProps) {
  const [reason, setReason] = useState('')
  if (isAll) {
    return (
      <AllDialog title={`Ban ${people(count)}`} done="banned" action="ban" isDangerous onClose={onClose}>
        {banText}
      </AllDialog>
    )
  }
  return (
    <BulkDialog
      title={`Ban ${people(count)}`}
      done="banned"
      isDangerous
      work={changeOf('status', 'Banned', reason.trim() === '' ? {} : { reason })}
      onClose={onClose}
    >
      {banText}
      <ReasonField value={reason} onChange={setReason} />
    </BulkDialog>
  )
}

const unbanText = 'Everybody who is selected becomes Active and can sign in again. Revoked API keys stay revoked.'

const Unban = ({ count, isAll, onClose }: AskProps) =>
  isAll ? (
    <AllDialog title={`Unban ${people(count)}`} done="unbanned" action="activate" onClose={onClose}>
      {unbanText}
    </AllDialog>
  ) : (
    <BulkDialog title={`Unban ${people(count)}`} done="unbanned" work={changeOf('status', 'Active')} onClose={onClose}>
      {unbanText}
    </BulkDialog>
  )

const remove = async (id: Identifier) => {
  await call('DELETE', `/users/${id}`)
  return undefined
}

const deleteText = 'Their accounts are deleted with their sessions, API keys and pictures. This cannot be undone.'

const Delete = ({ count, isAll, onClose }: AskProps) =>
  isAll ? (
    <AllDialog title={`Delete ${people(count)}`} done="deleted" action="delete" isDangerous onClose={onClose}>
      {deleteText}
    </AllDialog>
  ) : (
    <BulkDialog title={`Delete ${people(count)}`} done="deleted" isDangerous work={remove} onClose={onClose}>
      {deleteText}
    </BulkDialog>
  )

function ChangeRole({ count, isAll, onClose }: AskProps) {
  const roles = useRoles()
  const [role, setRole] = useState<RoleChoice | null>(null)
  const content = (
    <>
      Their permissions change with their next request.
      <Autocomplete
        options={roles}
        value={role}
        onChange={(_, chosen) => setRole(chosen)}
        getOptionLabel={({ title }) => title}
        filterOptions={(options, { inputValue }) => ranked(options, inputValue, ({ title }) => title)}
        getOptionKey={({ id }) => id}
        getOptionDisabled={({ isWithinReach }) => !isWithinReach}
        renderInput={(props) => <TextField {...props} label="New role" sx={{ mt: 2 }} />}
      />
    </>
  )
  const shared = {
    title: `Change the role of ${people(count)}`,
    done: 'given another role',
    isReady: role !== null,
    onClose,
    children: content,
  }
  return isAll ? (
    <AllDialog {...shared} action="set_role" role={role?.id} />
  ) : (
    <BulkDialog {...shared} work={changeOf('role_id', role?.id ?? 0)} />
  )
}

const deeds = [
  { label: 'Ban', dialog: Ban },
  { label: 'Unban', dialog: Unban },
  { label: 'Change role', dialog: ChangeRole },
  { label: 'Delete', dialog: Delete },
] as const

/** What can be done with the selected users; floats above the end of the list. */
export function BulkBar() {
  const { selectedIds, onUnselectItems, data = [], total = 0 } = useListContext()
  const [wantsAll, setWantsAll] = useState(false)
  const isWholePage = data.length > 0 && data.every(({ id }) => selectedIds.includes(id))
  const isAll = wantsAll && isWholePage
  if (wantsAll && !isWholePage) setWantsAll(false)
  const selected = isAll ? total : selectedIds.length
  const [asked, setAsked] = useState<(typeof deeds)[number]>()
  const [count, setCount] = useState(0)
  const [askedAll, setAskedAll] = useState(false)
  const Asked = asked?.dialog
  return (
    <>
      {selectedIds.length === 0 ? null : (
        <Paper
          role="toolbar"
          aria-label="Selected users"
          sx={{
            position: 'fixed',
            bottom: 24,
            left: { xs: 12, md: 'calc(232px + 50% - 116px)' },
            zIndex: 'fab',
            transform: { md: 'translateX(calc(-50% - 0px))' },
            right: { xs: 12, md: 'auto' },
            display: 'flex',
            flexWrap: { xs: 'wrap', md: 'nowrap' },
            alignItems: 'center',
            gap: 0.75,
            p: 0.75,
            boxShadow: 8,
            bgcolor: 'background.paper',
          }}
        >
          <Box
            component="span"
            role="status"
            sx={{ px: 1.25, fontWeight: 600, whiteSpace: 'nowrap', flex: { xs: '1 0 auto', md: 'none' } }}
          >
            {selected.toLocaleString('en')} selected
          </Box>
          {isWholePage && !isAll && total > selectedIds.length ? (
            <Button onClick={() => setWantsAll(true)} sx={{ whiteSpace: 'nowrap' }}>
              Select all {total.toLocaleString('en')} that match
            </Button>
          ) : null}
          {deeds.map((deed) => (
            <Button
              key={deed.label}
              variant="outlined"
              color={deed.label === 'Delete' ? 'error' : 'primary'}
              onClick={() => {
                setCount(selected)
                setAskedAll(isAll)
                setAsked(deed)
              }}
            >
              {deed.label}
            </Button>
          ))}
          <IconButton
            size="small"
            onClick={() => {
              setWantsAll(false)
              onUnselectItems()
            }}
            aria-label="Clear the selection"
          >
            <Close fontSize="small" />
          </IconButton>
        </Paper>
      )}
      {Asked === undefined ? null : <Asked count={count} isAll={askedAll} onClose={() => setAsked(undefined)} />}
    </>
  )
}
