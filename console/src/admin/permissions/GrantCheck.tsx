import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import Tooltip from '@mui/material/Tooltip'
import { type Draft, isAdminRole, type Permission, type Role, titleOf, whyNotGrant } from '../roles/grants.ts'
import { useSession } from '../session.ts'

interface Props {
  readonly role: Role
  readonly permission: Permission
  /** Absent while it is loading. */
  readonly stored: readonly string[] | undefined
  readonly draft: Draft | undefined
  readonly onToggle: (stored: readonly string[]) => void
}

/** One check box: marked if it differs from what is stored; disabled, with the reason, if it cannot be changed. */
export function GrantCheck({ role, permission, stored, draft, onToggle }: Props) {
  const session = useSession()
  const { name } = permission
  const isStored = isAdminRole(role) || stored?.includes(name) === true
  const isChecked = draft?.get(name) ?? isStored
  const why = stored === undefined ? '' : whyNotGrant(session, role, stored, name)
  const label = `${titleOf(role)}: ${titleOf(permission)}`
  const check = (
    <Checkbox
      checked={isChecked}
      disabled={why !== undefined}
      onChange={() => onToggle(stored ?? [])}
      slotProps={{ input: { 'aria-label': why === undefined || why === '' ? label : `${label}. ${why}` } }}
    />
  )
  return (
    <Tooltip title={why ?? ''}>
      <Box
        component="span"
        sx={{
          display: 'inline-block',
          borderRadius: 1,
          bgcolor: isChecked === isStored ? undefined : 'action.selected',
        }}
      >
        {check}
      </Box>
    </Tooltip>
  )
}
