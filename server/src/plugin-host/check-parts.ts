import type { Job, ListDefinition, Plugin, Route } from '@gatehouse/plugin-kit'
import { coreEvents } from '../core/events.ts'
import { filterKinds } from './lists.ts'
import { refusePlugin } from './refuse.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

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
function checkList(source: string, name: string, list: ListDefinition<any>): void {
  const { columns, sorts, defaultSort, filters = {} } = list
  const wanted = ['id', ...Object.values(sorts).map(({ column }) => column)]
  const missing = wanted.find((column) => !columns.includes(column))
  if (missing !== undefined) refusePlugin(source, `the list ${name} has no column "${missing}".`)
  const unknown = defaultSort
    .split(',')
    .map((term) => term.trim().replace(/^-/, ''))
    .find((term) => term !== '' && !Object.hasOwn(sorts, term))
  if (unknown !== undefined) refusePlugin(source, `the list ${name} has no sort "${unknown}".`)
  const strange = Object.entries(filters).find(([, { kind }]) => !filterKinds.includes(kind))
  if (strange !== undefined)
    refusePlugin(source, `the filter "${strange[0]}" of ${name} needs a kind: ${filterKinds.join(', ')}.`)
}

const isAnswer = (answer: unknown): boolean =>
  answer === 'success' || answer === 'html' || (typeof answer === 'object' && answer !== null)

/** Refuses routes that would fail when they are called. */
export function checkRoutes(source: string, { id, permissions = [] }: Plugin, routes: readonly Route[]): void {
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    if (!methods.includes(route.method) || ('list' in route && route.method !== 'GET'))
      refusePlugin(source, `the method of ${name} must be ${'list' in route ? 'GET' : methods.join(', ')}.`)
    const needed = permissionsOf(route.access)
    if (needed === undefined) refusePlugin(source, `the route ${name} does not say who may call it (access).`)
    const stray = needed.find((one) => one.startsWith(`${id}.`) && !permissions.some((own) => own.name === one))
    if (stray !== undefined)
      refusePlugin(source, `the route ${name} needs the permission "${stray}", which is not among its permissions.`)
    if ('list' in route) checkList(source, name, route.list)
    else if (typeof route.handle !== 'function') refusePlugin(source, `the route ${name} has no handle.`)
    else if (!isAnswer(route.answer))
      refusePlugin(source, `the answer of ${name} must be a schema, 'success' or 'html'.`)
    else if (!['undefined', 'function'].includes(typeof route.errorPage))
      refusePlugin(source, `the errorPage of ${name} is not a function.`)
  }
}

/** The core's `user.created` is a thing and what happened to it. */
const thingOf = (event: string): string => event.split('.', 1)[0] as string
const coreThings = new Set(Object.keys(coreEvents).map(thingOf))

/** Refuses reactions that would never run. An event of a plugin that is not there now may still come one day. */
export function checkReactions(
  source: string,
  { events = [] }: Plugin,
  reactions: Readonly<Record<string, unknown>>,
): void {
  for (const [event, run] of Object.entries(reactions)) {
    if (coreThings.has(thingOf(event)) && !Object.hasOwn(coreEvents, event) && !events.includes(event))
      refusePlugin(source, `it reacts to "${event}", which is no event.`)
    if (typeof run !== 'function') refusePlugin(source, `its reaction to "${event}" is not a function.`)
  }
}

/** Refuses jobs that would never rest, or do nothing. */
export function checkJobs(source: string, jobs: readonly Job[]): void {
  for (const { name, everySeconds, run } of jobs) {
    if (!(everySeconds > 0)) refusePlugin(source, `the job "${name}" needs everySeconds, a number above 0.`)
    if (typeof run !== 'function') refusePlugin(source, `the job "${name}" has no run.`)
  }
}
