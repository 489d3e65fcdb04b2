import type { Host, ListRoute } from '@gatehouse/plugin-kit'
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import { createJobRunner, type JobRunner } from '../core/jobs.ts'
import type { Plugins } from '../core/plugins.ts'
import { isUnavailable } from '../db/failures.ts'
import { toPluginActor } from './actors.ts'
import { checkJobs, checkReactions, checkReturned, checkRoutes } from './check-parts.ts'
import { refuseClash } from './clashes.ts'
import { consoleFileRoute, consoleOf } from './console-file.ts'
import { findCulprit } from './culprit.ts'
import { createHost } from './host.ts'
import type { LoadedPlugin } from './load.ts'
import { blamePlugin } from './refuse.ts'
import { addPluginRoute } from './routes.ts'
import { IncludedUser } from './schemas.ts'
import { pluginSettings } from './settings.ts'

/** The parts of a loaded plugin, created with its host. */
function createParts(ctx: Context, loaded: LoadedPlugin) {
  const { plugin, source } = loaded
  const jobs: JobRunner[] = []
  const nameOf = (name: string) => `${plugin.id}.${name}`
  const { host, txFor } = createHost(ctx, loaded, (name) => {
    if (!jobs.some((known) => known.name === nameOf(name)))
      throw new Error(`the plugin ${plugin.id} has no job "${name}"`)
    ctx.jobs.wake(nameOf(name)) // another process of this service may run the jobs
  })
  const made = <Part>(
    name: string,
    kind: 'array' | 'object',
    make: ((of: Host) => Part) | undefined,
    none: Part,
  ): Part => (make === undefined ? none : checkReturned(source, name, kind, make(host)))
  const ownJobs = made('jobs', 'array', plugin.jobs, [])
  checkJobs(source, ownJobs)
  jobs.push(...ownJobs.map((job) => createJobRunner({ ...job, name: nameOf(job.name) }, ctx.log)))
  const reactions = made('on', 'object', plugin.on, {})
  const reactionsToMany = made('onMany', 'object', plugin.onMany, {})
  checkReactions(source, plugin, reactions)
  checkReactions(source, plugin, reactionsToMany)
  const routes = made('routes', 'array', plugin.routes, [])
  checkRoutes(source, plugin, routes)
  return { loaded, jobs, routes, reactions, reactionsToMany, txFor }
}

function hostPlugin(ctx: Context, loaded: LoadedPlugin) {
  try {
    return createParts(ctx, loaded)
  } catch (error) {
    return blamePlugin(loaded.source, 'its parts cannot be created', error)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each list has its own row
async function assertListReadable(ctx: Context, { source }: LoadedPlugin, { path, list }: ListRoute<any, any>) {
  const columns = [...list.columns, ...Object.values(list.filters ?? {}).map(({ column }) => column)]
  try {
    await sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(list.table)} limit 0`.execute(
      ctx.unguarded,
    )
  } catch (error) {
    if (isUnavailable(error)) throw error
    blamePlugin(source, `the list GET ${path} cannot be read`, error)
  }
}

/** The loaded plugins. */
export function hostPlugins(ctx: Context, loaded: readonly LoadedPlugin[]): Plugins {
  const hosted = loaded.map((plugin) => hostPlugin(ctx, plugin))
  const settings = loaded.map(({ plugin }) => pluginSettings(plugin))
  const jobs = hosted.flatMap((plugin) => plugin.jobs)

  const react: Plugins['react'] = async (tx, { actor, ...event }) => {
    for (const { reactions, txFor } of hosted) {
      const run = Object.hasOwn(reactions, event.event) ? reactions[event.event] : undefined
      await run?.(txFor(tx), { ...event, actor: toPluginActor(actor) })
    }
  }

  const reactToMany: Plugins['reactToMany'] = async (tx, events) => {
    const name = events[0]?.event ?? ''
    for (const { reactions, reactionsToMany, txFor } of hosted) {
      const runAtOnce = Object.hasOwn(reactionsToMany, name) ? reactionsToMany[name] : undefined
      const run = Object.hasOwn(reactions, name) ? reactions[name] : undefined
      if (runAtOnce === undefined && run === undefined) continue
      const shown = events.map(({ actor, ...event }) => ({ ...event, actor: toPluginActor(actor) }))
      if (runAtOnce !== undefined) await runAtOnce(txFor(tx), shown)
      else for (const event of shown) await run?.(txFor(tx), event)
    }
  }

  const addRoutes: Plugins['addRoutes'] = async (app) => {
    app.addSchema(IncludedUser)
    for (const { loaded: plugin, routes } of hosted) {
      await app.register(async (scope) => {
        for (const route of routes) {
          refuseClash(scope, plugin.source, route)
          try {
            addPluginRoute(scope, ctx, plugin, route)
          } catch (error) {
            blamePlugin(plugin.source, `the route ${route.method} ${route.path} cannot be added`, error)
          }
        }
        consoleFileRoute(scope, plugin)
      })
    }
  }

  const assertReadable: Plugins['assertReadable'] = async () => {
    for (const { loaded: plugin, routes } of hosted)
      for (const route of routes) if ('list' in route) await assertListReadable(ctx, plugin, route)
  }

  return {
    ids: loaded.map(({ plugin }) => plugin.id),
    events: loaded.flatMap(({ plugin }) => plugin.events ?? []),
    consoles: loaded.flatMap(consoleOf),
    settings: Object.assign({}, ...settings.map(({ properties }) => properties)),
    readSettings: (stored) => Object.assign({}, ...settings.map(({ read }) => read(stored))),
    openEvents: new Set(loaded.flatMap(({ plugin }) => plugin.openEvents ?? [])),
    addRoutes,
    assertReadable,
    react,
    reactToMany,
    jobs,
    findCulprit: (error) => findCulprit(loaded, error),
  }
}
