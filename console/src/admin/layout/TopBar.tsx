import DarkMode from '@mui/icons-material/DarkModeOutlined'
import LightMode from '@mui/icons-material/LightModeOutlined'
import MenuIcon from '@mui/icons-material/Menu'
import RefreshIcon from '@mui/icons-material/Refresh'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useIsFetching } from '@tanstack/react-query'
import { memo } from 'react'
import { TitlePortal, useRefresh, useTheme } from 'react-admin'
import { setOpened } from '../keyboard/opened.ts'
import { getPlugins } from '../registry.ts'
import { PluginPart } from './PluginPart.tsx'
import { UserMenu } from './UserMenu.tsx'

function ThemeButton() {
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true })
  const [theme, setTheme] = useTheme(isSystemDark ? 'dark' : 'light')
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip title={`Switch to ${other}`}>
      <IconButton onClick={() => setTheme(other)} aria-label={`Switch to ${other} colours`} size="small">
        {theme === 'dark' ? <LightMode fontSize="small" /> : <DarkMode fontSize="small" />}
      </IconButton>
    </Tooltip>
  )
}

/** For who does not know the keys. */
const PaletteButton = () => (
  <Tooltip title="Go anywhere (Ctrl K)">
    <IconButton
      onClick={() => setOpened('palette')}
      aria-label="Go anywhere"
      aria-keyshortcuts="Control+K Meta+K"
      size="small"
      sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
    >
      <SearchIcon fontSize="small" />
    </IconButton>
  </Tooltip>
)

/** Loads again what the page shows; turns while anything is loaded. */
function RefreshButton() {
  const refresh = useRefresh()
  const isLoading = useIsFetching() > 0
  return (
    <Tooltip title="Refresh">
      <IconButton onClick={() => refresh()} aria-label="Refresh" aria-busy={isLoading} size="small">
        <RefreshIcon
          fontSize="small"
          sx={{
            '@keyframes turn': { to: { transform: 'rotate(360deg)' } },
            animation: isLoading ? 'turn 1s linear infinite' : undefined,
          }}
        />
      </IconButton>
    </Tooltip>
  )
}

/** Title of the page, what plugins put there, colours, and who is signed in. */
export const TopBar = memo(({ onMenu }: { onMenu: (() => void) | undefined }) => (
  <Box
    component="header"
    sx={{
      display: 'flex',
      flexWrap: 'wrap', // large text on a narrow screen
      alignItems: 'center',
      gap: 1,
      minHeight: 56,
      px: { xs: 1.5, sm: 3 },
      flexShrink: 0,
      position: 'sticky',
      top: 0,
      zIndex: 'appBar',
      bgcolor: 'background.default',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    {onMenu === undefined ? null : (
      <IconButton onClick={onMenu} aria-label="Open the menu" edge="start">
        <MenuIcon />
      </IconButton>
    )}
    {/* A name from right to left is cut at its own end; a box inside of the line would get no ellipsis. Another page is read out. */}
    <TitlePortal
      component="h1"
      variant="h1"
      dir="auto"
      aria-live="polite"
      sx={{ flex: '1 1 4.5rem', fontSize: '1rem', textAlign: 'left', '& > span': { display: 'inline' } }}
    />
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: 'auto' }}>
      <PaletteButton />
      <RefreshButton />
      {getPlugins().map(({ id, badge }) => (
        <PluginPart key={id} part={badge} />
      ))}
      <ThemeButton />
      <UserMenu />
    </Box>
  </Box>
))
