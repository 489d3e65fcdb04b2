import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Typography from '@mui/material/Typography'
import { memo } from 'react'
import { Link, useLocation } from 'react-router'
import { LogoMark } from '../../design/Logo.tsx'
import { groups, type MenuEntry, menuEntries } from '../registry.ts'
import { finger } from '../theme.ts'
import { PluginPart } from './PluginPart.tsx'

const sidebarWidth = 232

function Entry({ entry, onOpen }: { entry: MenuEntry; onOpen: () => void }) {
  const { pathname } = useLocation()
  const { to, label, icon, badge } = entry
  const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)
  return (
    <Box component="li">
      <ListItemButton
        component={Link}
        to={to}
        onClick={onOpen}
        selected={isHere}
        aria-current={isHere ? 'page' : undefined}
        sx={{
          borderRadius: '6px',
          minHeight: 34,
          [finger]: { minHeight: 44 },
          px: 1.25,
          py: 0.25,
          my: '1px',
          color: 'text.secondary',
          fontWeight: 500,
          '& svg': { fontSize: 18 },
          '&.Mui-selected, &.Mui-selected:hover': {
            color: 'text.primary',
            bgcolor: 'action.selected',
            fontWeight: 600,
          },
        }}
      >
        <ListItemIcon sx={{ minWidth: 28 }}>
          <PluginPart part={icon} />
        </ListItemIcon>
        <Box component="span" sx={{ flex: 1 }}>
          {label}
        </Box>
        <PluginPart part={badge} />
      </ListItemButton>
    </Box>
  )
}

/** An entry shows only to people who may open its page. */
const PermittedEntry = (props: { entry: MenuEntry; onOpen: () => void }) =>
  useMay(props.entry.permission) ? <Entry {...props} /> : null

function Menu({ onOpen }: { onOpen: () => void }) {
  const entries = menuEntries()
  return (
    <Box sx={{ px: 1.5, pb: 2, overflowY: 'auto', flex: 1 }}>
      {groups.map(({ id, label }) => (
        <Box
          key={id}
          // A heading goes when all of its entries have gone.
          sx={{ mb: 1.5, '&:not(:has(li))': { display: 'none' } }}
        >
          {label === '' ? null : (
            <Typography component="h2" variant="caption" sx={{ px: 1.25, py: 0.75, display: 'block', fontWeight: 550 }}>
              {label}
            </Typography>
          )}
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {entries
              .filter(({ group }) => group === id)
              .map((entry) => (
                <PermittedEntry key={entry.to} entry={entry} onOpen={onOpen} />
              ))}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

const Content = ({ onOpen }: { onOpen: () => void }) => (
  <Box component="nav" aria-label="Main" sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
    <Box
      component={Link}
      to="/"
      onClick={onOpen}
      aria-label="Gatehouse, start page"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.25,
        px: 2.5,
        height: 56,
        flexShrink: 0,
        color: 'text.primary',
        textDecoration: 'none',
        fontWeight: 650,
        fontSize: '0.9375rem',
      }}
    >
      <LogoMark size={24} />
      Gatehouse
    </Box>
    <Menu onOpen={onOpen} />
  </Box>
)

const edge = { borderRight: '1px solid', borderColor: 'divider', bgcolor: 'background.paper' } as const

interface SidebarProps {
  readonly isWide: boolean
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The side menu: always visible on wide screens, else behind the button of the bar. */
export const Sidebar = memo(({ isWide, isOpen, onClose }: SidebarProps) =>
  isWide ? (
    <Box sx={{ ...edge, width: sidebarWidth, flexShrink: 0, position: 'sticky', top: 0, height: '100vh' }}>
      <Content onOpen={onClose} />
    </Box>
  ) : (
    <Drawer
      open={isOpen}
      onClose={onClose}
      slotProps={{ paper: { sx: { width: sidebarWidth + 24 }, 'aria-label': 'Menu' } }}
    >
      <Content onOpen={onClose} />
    </Drawer>
  ),
)
