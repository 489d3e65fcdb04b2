import { LoadError, useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { ListBase, Title } from 'react-admin'
import { NewButton } from '../components/NewButton.tsx'
import { stayOnError } from '../components/RecordPage.tsx'
import { type Permission, usePermissions } from '../roles/grants.ts'
import { Matrix } from './Matrix.tsx'
import { PermissionName } from './PermissionName.tsx'

/** For users who may not see roles. */
const Plain = ({ permissions }: { permissions: readonly Permission[] }) => (
  <Paper component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
    {permissions.map((permission) => (
      <Box
        component="li"
        key={permission.id}
        sx={{ px: 2, py: 1, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
      >
        <PermissionName permission={permission} />
      </Box>
    ))}
  </Paper>
)

/** Every permission, and which roles hold it. */
export function PermissionList() {
  const maySeeRoles = useMay('roles.manage')
  const mayWrite = useMay('permissions.manage')
  const { data, error } = usePermissions()
  return (
    <>
      <Title title="Permissions" />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', pb: 1.5 }}>
        <Typography color="text.secondary" sx={{ flex: '1 1 260px' }}>
          {maySeeRoles
            ? 'Which role may do what. Your own permissions are for applications that ask Gatehouse.'
            : 'What roles can be given. Your own permissions are for applications that ask Gatehouse.'}
        </Typography>
        {mayWrite ? <NewButton to="/permissions/create">New permission</NewButton> : null}
      </Box>
      {error !== null && data === undefined ? (
        <LoadError error={error} what="The permissions" />
      ) : data === undefined ? (
        <Skeleton variant="rounded" height={420} />
      ) : maySeeRoles ? (
        <ListBase
          resource="roles"
          perPage={8}
          sort={{ field: 'id', order: 'ASC' }}
          storeKey={false}
          disableSyncWithLocation
          queryOptions={stayOnError}
        >
          <Matrix permissions={data} />
        </ListBase>
      ) : (
        <Plain permissions={data} />
      )}
    </>
  )
}
