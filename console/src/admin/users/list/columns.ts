import { useEffect, useRef } from 'react'
import { useStore } from 'react-admin'
import { useLocation, useNavigate } from 'react-router'
import { columnFields, type FieldName } from '../fields.tsx'

export type Column = FieldName

const allColumns: readonly Column[] = columnFields.map(({ name }) => name)
const usual: readonly Column[] = ['name', 'email', 'role', 'status', 'last_login', 'created_at']
const parameter = 'columns'

const isColumn = (name: string): name is Column => allColumns.includes(name as Column)

/** The columns in a list of names. The link to the user is always among them. */
export function readColumns(names: string): ReadonlySet<Column> {
  const found = names.split(',').filter(isColumn)
  return new Set<Column>(found.length === 0 ? ['name'] : found)
}

/** The columns to show: from the address, else the last choice, else the default. */
export function useColumns(): [ReadonlySet<Column>, (column: Column) => void] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const [kept, keep] = useStore<string>('users.columns', usual.join(','))
  const named = new URLSearchParams(search).get(parameter) ?? kept
  // A second click may come before the first one has reached the address.
  const latest = useRef(named)
  useEffect(() => {
    latest.current = named
  }, [named])
  const shown = readColumns(named)

  const toggle = (column: Column) => {
    const before = readColumns(latest.current)
    const next = allColumns.filter((name) => (name === column) !== before.has(name)).join(',')
    latest.current = next
    const query = new URLSearchParams(search)
    query.set(parameter, next)
    keep(next)
    navigate({ search: `?${query}` }, { replace: true })
  }
  return [shown, toggle]
}
