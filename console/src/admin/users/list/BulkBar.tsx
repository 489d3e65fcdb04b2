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
import { BulkDialog, people } from './BulkDialog.tsx'
import { changeOf } from './bulk.ts'

interface AskProps {
  readonly count: number
  readonly onClose: () => void
}

function Ban({ count, onClose }: AskProps) {
  const [reason, setReason] = useState('')
  return (
    <BulkDialog
      title={`Ban ${people(count)}`}
      done="banned"
      isDangerous
      work={changeOf('status', 'Banned', reason.trim() === '' ? {} : { reason })}
      onClose={onClose}
    >
      They are signed out at once and can no longer sign in. Their API keys are revoked for good.
      <ReasonField value={reason} onChange={setReason} />
    </BulkDialog>
  )
}

const Unban = ({ count, onClose }: AskProps) => (
  <BulkDialog title={`Unban ${people(count)}`} done="unbanned" work={changeOf('status', 'Active')} onClose={onClose}>
    Everybody who is selected becomes Active and can sign in again. Revoked API keys stay revoked.
  </BulkDialog>
)

const remove = async (id: Identifier) => {
  await call('DELETE', `/users/${id}`)
  return undefined
}

const Delete = ({ count, onClose }: AskProps) => (
  <BulkDialog title={`Delete ${people(count)}`} done="deleted" isDangerous work={remove} onClose={onClose}>
    Their accounts are deleted with their sessions, API keys and pictures. This cannot be undone.
  </BulkDialog>
)

function ChangeRole({ count, onClose }: AskProps) {
  const roles = useRoles()
  const [role, setRole] = useState<RoleChoice | null>(null)
  return (
    <BulkDialog
      title={`Change the role of ${people(count)}`}
      done="given another role"
      isReady={role !== null}
      work={changeOf('role_id', role?.id ?? 0)}
      onClose={onClose}
    >
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
    </BulkDialog>
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
  const { selectedIds, onUnselectItems } = useListContext()
  const [asked, setAsked] = useState<(typeof deeds)[number]>()
  const [count, setCount] = useState(0)
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
            {selectedIds.length} selected
          </Box>
          {deeds.map((deed) => (
            <Button
              key={deed.label}
              variant="outlined"
              color={deed.label === 'Delete' ? 'error' : 'primary'}
              onClick={() => {
                setCount(selectedIds.length)
                setAsked(deed)
              }}
            >
              {deed.label}
            </Button>
          ))}
          <IconButton size="small" onClick={() => onUnselectItems()} aria-label="Clear the selection">
            <Close fontSize="small" />
          </IconButton>
        </Paper>
      )}
      {Asked === undefined ? null : <Asked count={count} onClose={() => setAsked(undefined)} />}
    </>
  )
}
