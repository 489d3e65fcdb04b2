import Logout from '@mui/icons-material/LogoutOutlined'
import Person from '@mui/icons-material/PersonOutlined'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useLogout } from 'react-admin'
import { Link } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { Face } from '../components/Face.tsx'
import { allPages } from '../registry.ts'
import { useSession } from '../session.ts'

/** Who is signed in, their account, and the way out. */
export function UserMenu() {
  const { user } = useSession()
  const logout = useLogout()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  const hasAccount = allPages().some(({ path }) => path.startsWith('/account'))
  return (
    <>
      <IconButton
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        aria-label={`Your account: ${nameOf(user)}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        size="small"
      >
        <Face person={user} size={28} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ paper: { sx: { minWidth: 220 } } }}>
        {/* A menu would give the focus to its first child; it skips a subheader. */}
        <ListSubheader role="presentation" disableSticky sx={{ py: 1, lineHeight: 'inherit', bgcolor: 'transparent' }}>
          <Typography sx={{ fontWeight: 600, color: 'text.primary' }} noWrap>
            {nameOf(user)}
          </Typography>
          <Typography variant="caption" noWrap component="p">
            {user.email}
          </Typography>
        </ListSubheader>
        <Divider sx={{ my: 0.5 }} />
        {hasAccount ? (
          <MenuItem component={Link} to="/account" onClick={close}>
            <ListItemIcon>
              <Person fontSize="small" />
            </ListItemIcon>
            My account
          </MenuItem>
        ) : null}
        <MenuItem onClick={() => logout()}>
          <ListItemIcon>
            <Logout fontSize="small" />
          </ListItemIcon>
          Sign out
        </MenuItem>
      </Menu>
    </>
  )
}
