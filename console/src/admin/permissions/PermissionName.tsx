import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { monoFamily } from '../../design/tokens.ts'
import { Cell } from '../components/Cell.tsx'
import { Tag } from '../components/Tag.tsx'
import { type Permission, titleOf } from '../roles/grants.ts'

/** The title and name of a permission, and whether it is one of the application's own. */
export function PermissionName({ permission }: { permission: Permission }) {
  const mayWrite = useMay('permissions.manage')
  const { id, name, removable } = permission
  const title = titleOf(permission)
  return (
    <Cell
      to={mayWrite ? `/permissions/${id}` : undefined}
      title={title}
      end={removable ? <Tag tone="accent">Your own</Tag> : null}
    >
      {title === name ? null : (
        <Box component="code" sx={{ fontFamily: monoFamily, fontSize: '0.75rem' }}>
          {name}
        </Box>
      )}
    </Cell>
  )
}
