import type { Job, ListDefinition, Plugin, Route } from '@gatehouse/plugin-kit'
import { refusePlugin } from './refuse.ts'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

/** The permissions that a route asks for, none if it needs none; undefined if its `access` cannot be read. */
function permissionsOf(access: unknown): readonly string[] | undefined {
  if (access === 'public' || access === 'authenticated') return []
  const { permission } = (access ?? {}) as { permission?: unknown }
  if (typeof permission === 'string') return [permission]
  return isTexts(permission) ? permission : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: each list has its own row
function checkList(source: string, name: string, { columns, sorts, defaultSort }: ListDefinition<any>): void {
  const wanted = ['id', ...Object.values(sorts).map(({ column }) => column)]
  const missing = wanted.find((column) => !columns.includes(column))
  if (missing !== undefined) refusePlugin(source, `the list ${name} has no column "${missing}".`)
  const unknown = defaultSort
    .split(',')
    .map((term) => term.trim().replace(/^-/, ''))
    .find((term) => term !== '' && !Object.hasOwn(sorts, term))
  if (unknown !== undefined) refusePlugin(source, `the list ${name} has no sort "${unknown}".`)
}

/** Refuses routes that would fail when they are called. */
export function checkRoutes(source: string, { id, permissions = [] }: Plugin, routes: readonly Route[]): void {
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const needed = permissionsOf(route.access)
    if (needed === undefined) refusePlugin(source, `the route ${name} does not say who may call it (access).`)
    const stray = needed.find((one) => one.startsWith(`${id}.`) && !permissions.some((own) => own.name === one))
    if (stray !== undefined)
      refusePlugin(source, `the route ${name} needs the permission "${stray}", which is not among its permissions.`)
    if ('list' in route) checkList(source, name, route.list)
    else if (typeof route.handle !== 'function') refusePlugin(source, `the route ${name} has no handle.`)
  }
}

/** Refuses jobs that would never rest, or do nothing. */
export function checkJobs(source: string, jobs: readonly Job[]): void {
  for (const { name, everySeconds, run } of jobs) {
    if (!(everySeconds > 0)) refusePlugin(source, `the job "${name}" needs everySeconds, a number above 0.`)
    if (typeof run !== 'function') refusePlugin(source, `the job "${name}" has no run.`)
  }
}
