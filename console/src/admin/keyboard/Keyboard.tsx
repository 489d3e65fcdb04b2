import { MayContext } from '@gatehouse/plugin-kit/console'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useContext, useEffect, useMemo } from 'react'
import { useLogout, useTheme } from 'react-admin'
import { useLocation } from 'react-router'
import { entriesFor } from './entries.ts'
import { KeysHelp } from './KeysHelp.tsx'
import { useKeys } from './keys.ts'
import { setOpened, useOpened } from './opened.ts'
import { Palette } from './Palette.tsx'

const openPalette = () => setOpened('palette')
const openHelp = () => setOpened('help')
const close = () => setOpened(undefined)

/** The keyboard of the console: the command palette, the list of keys, and what the keys do. */
export function Keyboard() {
  const opened = useOpened()
  const may = useContext(MayContext)
  const logout = useLogout()
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true })
  const [theme, setTheme] = useTheme(isSystemDark ? 'dark' : 'light')
  const { pathname } = useLocation()
  useKeys({ openPalette, openHelp })
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page neither is wanted any more
  useEffect(close, [pathname])
  const entries = useMemo(
    () =>
      entriesFor({
        may,
        toggleTheme: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
        openHelp,
        signOut: () => logout(),
      }),
    [may, theme, setTheme, logout],
  )
  if (opened === 'palette') return <Palette entries={entries} onClose={close} />
  return opened === 'help' ? <KeysHelp onClose={close} /> : null
}
