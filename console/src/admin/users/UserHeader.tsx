import Camera from '@mui/icons-material/PhotoCameraOutlined'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { nameOf } from '../../api/user-name.ts'
import { Face } from '../components/Face.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useSession } from '../session.ts'
import { AvatarDialog } from './AvatarDialog.tsx'
import { useRoleTitle } from './roles.ts'
import { StatusChip } from './StatusChip.tsx'
import { type PageProps, useChanged } from './tab.ts'
import { UserActions } from './UserActions.tsx'

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <Box sx={{ minWidth: 0, maxWidth: { sm: 180 } }}>
    <Typography variant="caption" component="dt">
      {label}
    </Typography>
    <Box
      component="dd"
      sx={{ m: 0, fontWeight: 500, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
    >
      {children}
    </Box>
  </Box>
)

/** Who it is: picture, name, status, and what an administrator looks for first. */
export function UserHeader({ user, mayChange, goOn }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const changed = useChanged(user)
  const role = useRoleTitle(user.role_id)
  const isYou = useSession().user.id === user.id
  const picture = <Face person={user} size={64} />
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 2 }}>
      {mayChange ? (
        <Badge
          overlap="circular"
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          badgeContent={
            <Tooltip title="Change the picture">
              <IconButton
                size="small"
                aria-label="Change the picture"
                onClick={() => setOpen(true)}
                sx={{
                  bgcolor: 'background.paper',
                  border: '1px solid',
                  borderColor: 'divider',
                  p: 0.5,
                  borderRadius: '50%',
                  '& svg': { fontSize: 16 },
                }}
              >
                <Camera />
              </IconButton>
            </Tooltip>
          }
        >
          {picture}
        </Badge>
      ) : (
        picture
      )}
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="h5" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {nameOf(user)}
          </Typography>
          <StatusChip status={user.status} />
          {mayChange ? <UserActions user={user} goOn={goOn} /> : null}
          {isYou ? <Typography variant="caption">This is you</Typography> : null}
        </Box>
        <Typography color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
          {user.email}
        </Typography>
      </Box>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: { xs: 'grid', sm: 'flex' },
          gridTemplateColumns: '1fr 1fr',
          columnGap: 4,
          rowGap: 1,
          width: { xs: '100%', sm: 'auto' },
          minWidth: 0,
        }}
      >
        <Fact label="Role">{role ?? '–'}</Fact>
        <Fact label="Last sign-in">
          <RelativeTime value={user.last_login} />
        </Fact>
        <Fact label="Created">
          <RelativeTime value={user.created_at} />
        </Fact>
        <Fact label="ID">{user.id}</Fact>
      </Box>
      {isOpen ? (
        <AvatarDialog
          path={`/users/${user.id}`}
          avatar={user.avatar}
          onSaved={changed}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Box>
  )
}
