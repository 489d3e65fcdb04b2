import type { ConsolePage, ConsolePlugin, ConsoleResource, MenuGroup, Needs } from '@gatehouse/plugin-kit/console'
import { type ComponentType, memo } from 'react'
import { setPluginWords } from './activity/sentence.ts'
import { dashboard, pages, resources } from './resources.ts'

/** Headings of the side menu, in their order. */
export const groups: readonly { readonly id: MenuGroup; readonly label: string }[] = [
  { id: 'overview', label: '' },
  { id: 'people', label: 'People' },
  { id: 'access', label: 'Access' },
  { id: 'system', label: 'System' },
]

/** react-admin re-renders all routes several times while it starts, and at each refresh. A page re-renders only when what it reads has changed. */
const memoPage = (page: ComponentType | undefined) => page && memo(page)

const withMemoPages = ({ list, edit, create, show, ...rest }: ConsoleResource): ConsoleResource => ({
  ...rest,
  list: memoPage(list),
  edit: memoPage(edit),
  create: memoPage(create),
  show: memoPage(show),
})

let plugins: readonly ConsolePlugin[] = []
let everyResource = resources
let everyPage = pages

/** Plugins are added before the console is drawn. */
export const addPlugins = (added: readonly ConsolePlugin[]): void => {
  plugins = added
  everyResource = [...resources, ...added.flatMap((plugin) => plugin.resources ?? [])].map(withMemoPages)
  everyPage = [...pages, ...added.flatMap((plugin) => plugin.pages ?? [])].map((page) => ({
    ...page,
    component: memo(page.component),
  }))
  setPluginWords(Object.assign({}, ...added.map(({ events }) => events)))
}

export const getPlugins = (): readonly ConsolePlugin[] => plugins
export const allResources = (): readonly ConsoleResource[] => everyResource
export const allPages = (): readonly ConsolePage[] => everyPage

/** What reading and writing a resource takes. What is not registered is read by whoever finds it: the server decides. */
export function permissionsOf(name: string): { read: Needs; write: Needs } {
  return allResources().find((resource) => resource.name === name)?.permission ?? { read: [], write: [] }
}

export interface MenuEntry {
  readonly to: string
  readonly label: string
  readonly icon?: React.ComponentType
  readonly badge?: React.ComponentType
  readonly group: MenuGroup
  readonly permission: Needs
}

/** Every entry of the menu, whatever permission it needs. */
export function menuEntries(): MenuEntry[] {
  const start = dashboard === undefined ? [] : [{ ...dashboard, path: '/' }]
  const ofPages = [...start, ...allPages()].flatMap(({ path, label, permission = [], group = 'overview', ...rest }) =>
    label === undefined ? [] : [{ ...rest, to: path, label, permission, group }],
  )
  const ofResources = allResources()
    .filter(({ hidden, list }) => hidden !== true && list !== undefined)
    .map(({ name, permission, group = 'overview', ...rest }) => ({
      ...rest,
      to: `/${name}`,
      permission: permission.read,
      group,
    }))
  const ofPlugins = plugins.flatMap(({ menu = [] }) =>
    menu.map(({ permission = [], group = 'overview', ...rest }) => ({ ...rest, permission, group })),
  )
  return [...ofPages, ...ofResources, ...ofPlugins].toSorted((a, b) => place(a) - place(b))
}

/** The start page stands first in its group, pages of their own last. */
const place = ({ to }: MenuEntry): number =>
  to === '/' ? 0 : allResources().some(({ name }) => `/${name}` === to) ? 1 : 2
