import type { Needs } from '@gatehouse/plugin-kit/console'
import { menuEntries } from '../registry.ts'

export interface Entry {
  readonly id: string
  readonly group: 'Pages' | 'Actions' | 'Users'
  readonly label: string
  readonly hint?: string
  readonly to?: string
  /** Found by these words, too. */
  readonly also?: string
  readonly run?: () => void
}

interface Options {
  readonly may: (needs: Needs) => boolean
  readonly toggleTheme: () => void
  readonly openHelp: () => void
  readonly signOut: () => void
}

const actions: readonly (Entry & { readonly needs: Needs })[] = [
  {
    id: 'new-user',
    group: 'Actions',
    label: 'New user',
    to: '/users/create',
    also: 'create add',
    needs: 'users.manage',
  },
  {
    id: 'new-role',
    group: 'Actions',
    label: 'New role',
    to: '/roles/create',
    also: 'create add',
    needs: 'roles.manage',
  },
  {
    id: 'new-permission',
    group: 'Actions',
    label: 'New permission',
    to: '/permissions/create',
    also: 'create add',
    needs: 'permissions.manage',
  },
  {
    id: 'new-key',
    group: 'Actions',
    label: 'New API key',
    to: '/api-keys/create',
    also: 'create add issue',
    needs: 'api-keys.manage',
  },
]

/** The pages and actions that the current user may use. */
export function entriesFor({ may, toggleTheme, openHelp, signOut }: Options): Entry[] {
  const pages = menuEntries()
    .filter(({ permission }) => may(permission))
    .map(({ to, label }): Entry => ({ id: to, group: 'Pages', label, to, also: 'go open' }))
  return [
    ...pages,
    ...actions.filter(({ needs }) => may(needs)),
    { id: 'theme', group: 'Actions', label: 'Switch between light and dark', run: toggleTheme, also: 'theme colours' },
    { id: 'keys', group: 'Actions', label: 'Show the keys', run: openHelp, also: 'keyboard shortcuts help' },
    { id: 'sign-out', group: 'Actions', label: 'Sign out', run: signOut, also: 'log out leave' },
  ]
}
