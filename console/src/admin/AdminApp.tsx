import type { EmotionCache } from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { MayContext, type Needs } from '@gatehouse/plugin-kit/console'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { Admin, CustomRoutes, localStorageStore, Resource } from 'react-admin'
import { createHashRouter, Route } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { authProvider } from './auth-provider.ts'
import { isAway, recover } from './connection.ts'
import { dataProvider } from './data-provider.ts'
import { Layout } from './layout/Layout.tsx'
import { NotFound, StartPage } from './layout/pages.tsx'
import { Toasts } from './layout/Toasts.tsx'
import { numberTyped } from './number-typed.ts'
import { allPages, allResources } from './registry.ts'
import { covers, useSession } from './session.ts'
import { darkTheme, lightTheme } from './theme.ts'

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isAway(error)) recover(queryClient)
    },
  }),
  defaultOptions: {
    queries: {
      // A refused request would be refused again; one that the server could not answer may succeed later.
      retry: (count, error) => count < 2 && isAway(error),
      retryDelay: (count) => 400 * 2 ** count,
      networkMode: 'always', // a browser that believes to be offline must say so, not wait in silence
      staleTime: 2_000,
    },
    mutations: { networkMode: 'always' },
  },
})
// `checkAuth` asks nobody, so its answer cannot go out of date. If it did, react-admin would redraw the whole page.
queryClient.setQueryDefaults(['auth', 'checkAuth'], { staleTime: Number.POSITIVE_INFINITY })

/** Preferences only: colours, columns, sizes of pages. Nothing secret is ever kept in the browser's storage. */
const store = localStorageStore('1', 'gatehouse')

function Console({ failedPlugins }: { failedPlugins: readonly string[] }) {
  const { permissions } = useSession()
  const may = useCallback((needs: Needs) => covers(permissions, needs), [permissions])
  const layout = useCallback(
    ({ children }: { children?: ReactNode }) => <Layout failedPlugins={failedPlugins}>{children}</Layout>,
    [failedPlugins],
  )
  const resources = allResources().filter(({ permission }) => may(permission.read))
  const pages = allPages().filter(({ permission = [] }) => may(permission))
  return (
    <MayContext.Provider value={may}>
      <Admin
        title="Gatehouse"
        disableTelemetry
        requireAuth
        dataProvider={dataProvider}
        authProvider={authProvider}
        queryClient={queryClient}
        store={store}
        layout={layout}
        notification={Toasts}
        dashboard={StartPage}
        catchAll={NotFound}
        lightTheme={lightTheme}
        darkTheme={darkTheme}
        loginPage={false}
      >
        {resources.map(({ name, label, permission, list, edit, create, show, recordRepresentation, icon }) => (
          <Resource
            key={name}
            name={name}
            options={{ label }}
            list={list}
            show={show}
            icon={icon}
            recordRepresentation={recordRepresentation}
            {...(may(permission.write) ? { edit, create } : { edit: undefined, create: undefined })}
          />
        ))}
        <CustomRoutes>
          {pages.map(({ path, component: Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
        </CustomRoutes>
      </Admin>
    </MayContext.Provider>
  )
}

export interface AdminAppProps {
  readonly cache: EmotionCache
  readonly failedPlugins: readonly string[]
}

/**
 * The router is made once: react-admin would make another one whenever the session changes, and what asks before somebody
 * leaves a page would stay behind in it. It draws a new address at once: on a slow device, an action before that
 * would start from the old address, and a search would lose the sort order just chosen.
 */
export function AdminApp({ cache, failedPlugins }: AdminAppProps) {
  const [router] = useState(() => {
    const note = numberTyped()
    const made = createHashRouter([{ path: '*', element: <Console failedPlugins={failedPlugins} /> }])
    note()
    made.subscribe(note)
    const { subscribe } = made
    made.subscribe = (draw) => subscribe((state, how) => draw(state, { ...how, flushSync: true }))
    return made
  })
  return (
    <CacheProvider value={cache}>
      <RouterProvider router={router} />
    </CacheProvider>
  )
}
