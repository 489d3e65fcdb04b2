import type { AuthProvider } from 'react-admin'
import { home } from '../api/address.ts'
import { api, unwrap } from '../api/client.ts'
import { tellTabs } from '../api/tabs.ts'
import { nameOf } from '../api/user-name.ts'
import { permissionsOf } from './registry.ts'
import { covers, getSession, goToSignIn, leave, reloadSession, startLeaving } from './session.ts'

const readActions = new Set(['list', 'show', 'export'])

/** Who is signed in is known by the cookie, which no script can read: the server is asked. */
export const authProvider: AuthProvider = {
  login: goToSignIn,
  logout: async () => {
    startLeaving()
    await unwrap(api.POST('/logout')).catch(() => {}) // over already, or unreachable: the sign-in page says so
    tellTabs('signed-out')
    leave(`${home}login`)
    return false
  },
  checkAuth: async () => {},
  checkError: async (error: { status?: number }) => {
    if (error.status === 401) await goToSignIn()
    if (error.status === 403) await reloadSession() // the role may have changed meanwhile: load the permissions again
  },
  getIdentity: async () => {
    const { user } = getSession()
    return { id: user.id, fullName: nameOf(user), avatar: user.avatar }
  },
  canAccess: async ({ action, resource }) => {
    const { read, write } = permissionsOf(resource)
    return covers(getSession().permissions, readActions.has(action) ? read : write)
  },
}
