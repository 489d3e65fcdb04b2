import { useListContext } from 'react-admin'
import { useLocation, useNavigate } from 'react-router'
import { usePreference } from '../../../preferences.ts'
import { type Column, readColumns, useColumns } from '../columns.ts'

/** How the list of users looks, under a name. */
export interface View {
  readonly name: string
  readonly filter: Readonly<Record<string, unknown>>
  readonly sort: string
  readonly order: 'ASC' | 'DESC'
  readonly columns: readonly Column[]
}

const key = 'user_views'
export const maxNameLength = 60

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Another client may have written anything there: what is no view is left out. */
function toView(value: unknown): View[] {
  if (!isObject(value) || typeof value.name !== 'string' || !isObject(value.filter)) return []
  const { name, filter, sort, order, columns } = value
  const names = Array.isArray(columns) ? columns.join(',') : ''
  return [
    {
      name,
      filter,
      sort: typeof sort === 'string' ? sort : 'created_at',
      order: order === 'ASC' ? 'ASC' : 'DESC',
      columns: [...readColumns(names)],
    },
  ]
}

const toViews = (value: unknown): View[] => (Array.isArray(value) ? value.flatMap(toView) : [])

/** The address of the list as the view has it, from its first page. */
const addressOf = ({ filter, sort, order, columns }: View): string =>
  `/users?${new URLSearchParams({ filter: JSON.stringify(filter), sort, order, columns: columns.join(','), page: '1' })}`

/** Two views show the same, whatever they are called. */
const isSame = (a: Omit<View, 'name'>, b: Omit<View, 'name'>): boolean => {
  const text = ({ filter, sort, order, columns }: Omit<View, 'name'>) =>
    JSON.stringify([Object.entries(filter).toSorted(([x], [y]) => x.localeCompare(y)), sort, order, columns])
  return text(a) === text(b)
}

const byName = (a: View, b: View) => a.name.localeCompare(b.name, 'en')

/** The current user's saved views, kept on the server, and the one that is shown now. */
export function useViews() {
  const { value, isPending, error, change } = usePreference(key)
  const { filterValues, sort } = useListContext()
  const [columns] = useColumns()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const shown = { filter: filterValues, sort: sort.field, order: sort.order, columns: [...columns] } as const
  const views = toViews(value).toSorted(byName)
  return {
    views,
    isPending,
    error,
    current: pathname === '/users' ? views.find((view) => isSame(view, shown)) : undefined,
    apply: (view: View) => navigate(addressOf(view)),
    /** Saves what is shown; a view of the same name is replaced. */
    save: (name: string) =>
      change((before) => [...toViews(before).filter((view) => view.name !== name), { name, ...shown }]),
    rename: (from: string, to: string) =>
      change((before) => toViews(before).map((view) => (view.name === from ? { ...view, name: to } : view))),
    remove: (name: string) => change((before) => toViews(before).filter((view) => view.name !== name)),
  }
}

export type Views = ReturnType<typeof useViews>
