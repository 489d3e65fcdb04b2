import type { Include, Job, ListDefinition, ListRoute, ObjectRoute, Plugin, Route } from '@gatehouse/plugin-kit'
import { coreEvents } from '../core/events.ts'
import { corePermissions } from '../core/permissions.ts'
import { filterKinds } from './lists.ts'
import { refusePlugin } from './refuse.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const statuses = [200, 201, 202]

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
type List = ListDefinition<any>

/** What a route can have; true where it must. Another name is refused: a `permission` beside `access` protects nothing. */
const routeParts: Readonly<Record<keyof ListRoute | keyof ObjectRoute, boolean>> = {
  method: true,
  path: true,
  operationId: true,
  summary: true,
  access: true,
  description: false,
  list: false,
  meta: false,
  body: false,
  maxBodyBytes: false,
  takesForm: false,
  answer: false,
  status: false,
  errorPage: false,
  includes: false,
  toItem: false,
  mayBeRefused: false,
  query: false,
  handle: false,
}
const listParts: Readonly<Record<keyof List, boolean>> = {
  table: true,
  columns: true,
  sorts: true,
  defaultSort: true,
  item: true,
  toItem: true,
  only: false,
  filters: false,
  includes: false,
}

/** The first part that is unknown, and the first that is missing. */
function strayParts(value: object, known: Readonly<Record<string, boolean>>) {
  const isThere = (name: string) => (value as Record<string, unknown>)[name] !== undefined
  return {
    unknown: Object.keys(value).find((name) => isThere(name) && !Object.hasOwn(known, name)),
    missing: Object.keys(known).find((name) => known[name] === true && !isThere(name)),
  }
}

function checkIncludes(source: string, name: string, includes: Readonly<Record<string, Include<never>>> = {}): void {
  const strange = Object.entries(includes).find(([, one]) =>
    [one?.key, one?.load].some((part) => typeof part !== 'function'),
  )
  if (strange !== undefined) refusePlugin(source, `the include "${strange[0]}" of ${name} needs key and load.`)
}

function checkList(source: string, name: string, list: List): void {
  const stray = strayParts(list, listParts)
  if (stray.unknown !== undefined)
    refusePlugin(
      source,
      `the list ${name} knows no "${stray.unknown}". Known are ${Object.keys(listParts).join(', ')}.`,
    )
  if (stray.missing !== undefined) refusePlugin(source, `the list ${name} has no "${stray.missing}".`)
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
  for (const [filter, definition] of Object.entries(filters)) {
    if (typeof definition.column !== 'string') refusePlugin(source, `the filter "${filter}" of ${name} needs a column.`)
    if (definition.kind === 'choice' && !isTexts(definition.choices))
      refusePlugin(source, `the filter "${filter}" of ${name} needs choices.`)
  }
  checkIncludes(source, name, list.includes)
}

const isAnswer = (answer: unknown): boolean =>
  answer === 'success' || answer === 'html' || (typeof answer === 'object' && answer !== null)

/** The core's `user.created` is a thing and what happened to it. */
const thingOf = (event: string): string => event.split('.', 1)[0] as string
const coreThings = new Set(Object.keys(coreEvents).map(thingOf))

const permissionThings = new Set([...coreThings, ...corePermissions.map(thingOf)])

/** A permission of the core that is none: `users.mange`, `user.manage`. Other names may be another plugin's, or made by an administrator. */
const isMistyped = (permission: string): boolean =>
  permissionThings.has(thingOf(permission)) && !corePermissions.includes(permission)

/** Refuses routes that would fail when they are called. */
export function checkRoutes(source: string, { id, permissions = [] }: Plugin, routes: readonly Route[]): void {
  for (const route of routes) {
    if (typeof route !== 'object' || route === null) refusePlugin(source, 'a route must be an object.')
    const name = `${route.method} ${route.path}`
    const { unknown } = strayParts(route, routeParts)
    if (unknown !== undefined)
      refusePlugin(source, `the route ${name} knows no "${unknown}". Known are ${Object.keys(routeParts).join(', ')}.`)
    if (!methods.includes(route.method) || ('list' in route && route.method !== 'GET'))
      refusePlugin(source, `the method of ${name} must be ${'list' in route ? 'GET' : methods.join(', ')}.`)
    const needed = permissionsOf(route.access)
    if (needed === undefined) refusePlugin(source, `the route ${name} does not say who may call it (access).`)
    const stray = needed.find((one) => one.startsWith(`${id}.`) && !permissions.some((own) => own.name === one))
    if (stray !== undefined)
      refusePlugin(source, `the route ${name} needs the permission "${stray}", which is not among its permissions.`)
    const mistyped = needed.find((one) => !one.startsWith(`${id}.`) && isMistyped(one))
    if (mistyped !== undefined)
      refusePlugin(
        source,
        `the route ${name} needs the permission "${mistyped}", which the core does not have. It has ${corePermissions.join(', ')}.`,
      )
    const { missing } = strayParts(route, routeParts)
    if (missing !== undefined) refusePlugin(source, `the route ${name} has no ${missing}.`)
    if ('list' in route) checkList(source, name, route.list)
    else checkObjectRoute(source, name, route)
  }
}

const isSchemaOfObject = (body: unknown): boolean => (body as { type?: unknown } | null)?.type === 'object'

// biome-ignore lint/suspicious/noExplicitAny: each route has its own body, answer and row
function checkObjectRoute(source: string, name: string, route: ObjectRoute<any, any, any>): void {
  const { handle, answer, errorPage, status, body, includes } = route
  if (typeof handle !== 'function') refusePlugin(source, `the route ${name} has no handle.`)
  if (!isAnswer(answer))
    refusePlugin(source, `the answer of ${name} must be a schema, 'success', 'html' or { file: 'text/csv' }.`)
  if (errorPage !== undefined && typeof errorPage !== 'function')
    refusePlugin(source, `the errorPage of ${name} is not a function.`)
  if (status !== undefined && !statuses.includes(status))
    refusePlugin(source, `the status of ${name} must be 200, 201 or 202.`)
  if (body !== undefined && !isSchemaOfObject(body))
    refusePlugin(source, `the body of ${name} must be a TypeBox object: Type.Object({ … }).`)
  checkIncludes(source, name, includes)
}

/** What the plugin's `routes`, `jobs`, `on` or `onMany` returned. Without the function there is none; one that returns nothing has forgotten it. */
export function checkReturned<Part>(source: string, name: string, kind: 'array' | 'object', returned: Part): Part {
  const isPromise = returned instanceof Promise
  const fits = typeof returned === 'object' && returned !== null && Array.isArray(returned) === (kind === 'array')
  if (isPromise || !fits)
    refusePlugin(source, `its "${name}" must return an ${kind}${isPromise ? ', not a promise' : ''}.`)
  return returned
}

/** Refuses reactions that would never run. An event of another plugin, which is not there now, may still come one day. */
export function checkReactions(
  source: string,
  { events = [] }: Plugin,
  reactions: Readonly<Record<string, unknown>>,
): void {
  const knownThings = new Set([...coreThings, ...events.map(thingOf)])
  for (const [event, run] of Object.entries(reactions)) {
    if (knownThings.has(thingOf(event)) && !Object.hasOwn(coreEvents, event) && !events.includes(event))
      refusePlugin(source, `it reacts to "${event}", which is no event.`)
    if (typeof run !== 'function') refusePlugin(source, `its reaction to "${event}" is not a function.`)
  }
}

/** Refuses jobs that would never rest, or do nothing. */
export function checkJobs(source: string, jobs: readonly Job[]): void {
  for (const [index, job] of jobs.entries()) {
    const { name, everySeconds, run } = job ?? {}
    if (typeof name !== 'string' || name === '') refusePlugin(source, 'a job needs a name.')
    if (jobs.slice(0, index).some((other) => other.name === name))
      refusePlugin(source, `the job "${name}" is there twice.`)
    if (!(everySeconds > 0)) refusePlugin(source, `the job "${name}" needs everySeconds, a number above 0.`)
    if (typeof run !== 'function') refusePlugin(source, `the job "${name}" has no run.`)
  }
}
