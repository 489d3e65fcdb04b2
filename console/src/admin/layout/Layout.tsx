import { bannerWaitMs } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Loading, useNotify, useSidebarState } from 'react-admin'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'react-router'
import { Keyboard } from '../keyboard/Keyboard.tsx'
import { useLiveUpdates } from '../live/follow.ts'
import { getPlugins } from '../registry.ts'
import { ConnectionBar } from './ConnectionBar.tsx'
import { PluginPart } from './PluginPart.tsx'
import { PageError } from './pages.tsx'
import { Reauthenticate } from './Reauthenticate.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SignInAgain } from './SignInAgain.tsx'
import { TopBar } from './TopBar.tsx'
import { useFocus } from './use-focus.ts'
import { usePageTitle } from './use-page-title.ts'
import { usePlainLinks } from './use-plain-links.ts'

/** Says once which plugins could not be loaded; nothing else waits for them. */
function useFailedPlugins(failed: readonly string[]): void {
  const notify = useNotify()
  useEffect(() => {
    for (const why of failed) notify(`A plugin could not be loaded: ${why}`, { type: 'warning' })
  }, [failed, notify])
}

/** Menu, bar and page. */
export function Layout({ children, failedPlugins }: { children: ReactNode; failedPlugins: readonly string[] }) {
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true })
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  const { pathname } = useLocation()
  const [, setSidebarOpen] = useSidebarState()
  useFailedPlugins(failedPlugins)
  usePageTitle()
  usePlainLinks()
  useFocus()
  useLiveUpdates()
  useEffect(() => setSidebarOpen(true), [setSidebarOpen])
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh' }}>
      <Box
        component="a"
        href="#main-content"
        onClick={(event) => {
          event.preventDefault() // the hash is the console's route
          document.getElementById('main-content')?.focus()
        }}
        sx={{
          position: 'fixed',
          top: 8,
          left: 8,
          zIndex: 'tooltip',
          px: 2,
          py: 1,
          borderRadius: 1,
          bgcolor: 'background.paper',
          color: 'text.primary',
          border: '1px solid',
          borderColor: 'divider',
          '&:not(:focus)': { transform: 'translateY(-200%)' },
        }}
      >
        Skip to the content
      </Box>
      <Keyboard />
      <SignInAgain />
      <Reauthenticate />
      <Sidebar isWide={isWide} isOpen={isOpen} onClose={close} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <TopBar onMenu={isWide ? undefined : open} />
        <ConnectionBar />
        {getPlugins().map(({ id, banner }) => (
          <PluginPart key={`${id} ${pathname}`} part={banner} />
        ))}
        <Box
          component="main"
          id="main-content"
          tabIndex={-1}
          sx={{
            flex: 1,
            px: { xs: 1.5, sm: 3 },
            py: { xs: 1, sm: 2 },
            '&:focus-visible': { outline: 'none' },
            // It begins below its banners: it is not seen before they are there.
            '@keyframes appear': { from: { opacity: 0 } },
            '[data-banner=pending] ~ &': { animation: `appear 0s ${bannerWaitMs}ms backwards` },
          }}
        >
          <ErrorBoundary
            fallbackRender={({ error, resetErrorBoundary }) => (
              <PageError error={error as Error} reset={resetErrorBoundary} />
            )}
          >
            <Suspense fallback={<Loading />}>{children}</Suspense>
          </ErrorBoundary>
        </Box>
      </Box>
    </Box>
  )
}
