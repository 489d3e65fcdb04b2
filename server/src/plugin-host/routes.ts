import { Readable } from 'node:stream'
import type {
  FileAnswer,
  ListRoute,
  ObjectRoute,
  Call as PluginCall,
  Route as PluginRoute,
} from '@gatehouse/plugin-kit'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import type { Context } from '../core/context.ts'
import { Draft } from '../core/draft.ts'
import { ServiceError } from '../core/errors.ts'
import { largestMaxBodyBytes } from '../http/body.ts'
import { type Access, anyCredential } from '../http/credentials.ts'
import { Replay } from '../http/idempotency/idempotency.ts'
import { ListLinks, ListMeta, listOf } from '../http/lists/answer.ts'
import { answerList } from '../http/lists/list.ts'
import { answerOne } from '../http/lists/one.ts'
import { parseUnpaged } from '../http/lists/request.ts'
import { addRoute, type Call, type Route } from '../http/route.ts'
import { dataOf, ref, Success, succeeded } from '../http/schemas.ts'
import { streamText } from '../http/stream-text.ts'
import { toPluginActor } from './actors.ts'
import { includesFor, toListSpec } from './lists.ts'
import type { LoadedPlugin } from './load.ts'
import { pageHeaders } from './page-headers.ts'
import { refusePlugin } from './refuse.ts'
import { shareNamed } from './schemas.ts'

type Described = Pick<
  Route<TSchema, TSchema>,
  'tag' | 'path' | 'operationId' | 'summary' | 'description' | 'access' | 'method' | 'mayBeRefused' | 'query'
>

const toAccess = (access: PluginRoute['access']): Access => {
  if (access === 'public') return { public: true }
  return access === 'authenticated' ? { permission: anyCredential } : access
}

/** `mail-tips` → `Mail tips`. */
const tagOf = (id: string): string => (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll('-', ' ')

const describe = (id: string, route: PluginRoute): Described => ({
  tag: tagOf(id),
  method: route.method,
  path: route.path,
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  ...('mayBeRefused' in route && route.mayBeRefused === true ? { mayBeRefused: true } : {}),
  ...('query' in route && route.query !== undefined ? { query: route.query } : {}),
  access: toAccess(route.access),
})

const toPluginCall = ({ actor, id, body, query, request }: Call<unknown>): PluginCall => {
  const { id: _, ...params } = request.params as Record<string, string>
  return { actor: toPluginActor(actor), id, params, query, body: body instanceof Draft ? body : new Draft({}) }
}

const Page = Type.String({ contentMediaType: 'text/html' })

/** Where the answer is a file: its type. */
const fileTypeOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'file' in answer ? String(answer.file) : undefined

const sendFile = (call: Call<unknown>, type: string, { name, content }: FileAnswer): Promise<never> => {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a file.`)
  const isWhole = typeof content === 'string' || content instanceof Uint8Array
  return streamText(call, { type, name }, Readable.from(isWhole ? [content] : content, { objectMode: false }))
}

/** What a plugin throws by mistake is an internal error, also where it looks like a refusal of Fastify's. */
const toInternal = (error: unknown): unknown => {
  if (error instanceof ServiceError || error instanceof Replay) return error
  if (!(error instanceof Error)) return new Error(`A handler threw ${error}, which is no Error.`)
  return 'statusCode' in error ? new Error(error.message, { cause: error }) : error
}

/** A filter, sort or cursor that the route does not name is refused, as on routes without parameters of their own. */
function refuseUnnamed({ query = {}, includes = {} }: AnyObjectRoute, given: URLSearchParams): void {
  const unnamed = new URLSearchParams([...given].filter(([name]) => !Object.hasOwn(query, name)))
  parseUnpaged({ sorts: {}, defaultSort: '', filters: {}, includes }, unnamed)
}

async function blaming<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toInternal(error)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each route has its own body, answer and row
type AnyListRoute = ListRoute<any, any>
// biome-ignore lint/suspicious/noExplicitAny: each route has its own body, answer and row
type AnyObjectRoute = ObjectRoute<any, any, any>

/** `text/csv; charset=utf-8` → `text/csv`. */
const mediaTypeOf = (type: string): string => type.split(';', 1)[0] as string

/** Adds one route of a plugin to its scope. */
export function addPluginRoute(scope: FastifyInstance, ctx: Context, loaded: LoadedPlugin, route: PluginRoute): void {
  const described = describe(loaded.plugin.id, route)
  const { maxBodyBytes = 1 } = 'list' in route ? {} : route
  if (!(maxBodyBytes >= 1 && maxBodyBytes <= largestMaxBodyBytes))
    refusePlugin(loaded.source, `the maxBodyBytes of ${route.path} is not between 1 and ${largestMaxBodyBytes}.`)
  const share = (schema: TSchema) => shareNamed(scope, loaded.source, schema)
  if ('list' in route) addListRoute(scope, ctx, described, route, share)
  else addObjectRoute(scope, ctx, described, route, share)
}

type Share = (schema: TSchema) => TSchema

function addObjectRoute(
  scope: FastifyInstance,
  ctx: Context,
  described: Described,
  route: AnyObjectRoute,
  share: Share,
): void {
  const { body, answer, errorPage, includes, toItem, handle } = route
  if (body?.$id !== undefined) share(body)
  const shape = (row: unknown) => (toItem === undefined ? row : toItem(row)) as object
  const fileType = fileTypeOf(answer)
  const answerSchema =
    answer === 'success'
      ? ref(Success)
      : answer === 'html'
        ? Page
        : fileType !== undefined
          ? Type.String({ contentMediaType: mediaTypeOf(fileType) })
          : dataOf(share(answer))
  addRoute(scope, {
    ...described,
    ...(body === undefined ? {} : { body }),
    ...(route.status === undefined ? {} : { status: route.status }),
    ...(includes === undefined ? {} : { includes }),
    ...(route.takesForm === true ? { takesForm: true } : {}),
    ...(route.maxBodyBytes === undefined ? {} : { maxBodyBytes: route.maxBodyBytes }),
    ...(errorPage === undefined ? {} : { errorPage: (error) => ({ headers: pageHeaders, page: errorPage(error) }) }),
    answer: answerSchema,
    handle: async (call: Call<unknown>): Promise<Static<typeof answerSchema>> => {
      if (route.method === 'GET' && route.query !== undefined) refuseUnnamed(route, call.query)
      const pluginCall = toPluginCall(call)
      if (includes !== undefined) {
        return answerOne(
          ctx,
          includesFor(includes, pluginCall.actor),
          call,
          () => blaming(() => handle(pluginCall)),
          shape,
        )
      }
      const result = await blaming(() => handle(pluginCall))
      if (answer === 'success') return succeeded
      if (fileType !== undefined) return sendFile(call, fileType, result as FileAnswer)
      if (answer !== 'html') return { data: shape(result) }
      call.reply.headers(pageHeaders)
      return String(result)
    },
  })
}

function addListRoute(
  scope: FastifyInstance,
  ctx: Context,
  described: Described,
  { list, meta }: AnyListRoute,
  share: Share,
): void {
  const spec = toListSpec(list)
  const item = share(list.item)
  const scopeFor = async (call: PluginCall): Promise<RawBuilder<SqlBool> | undefined> => {
    const rows = list.only === undefined ? 'all' : await list.only(call)
    if (rows === 'all') return undefined
    if (typeof (rows as { toOperationNode?: unknown } | undefined)?.toOperationNode !== 'function')
      throw new Error(`The \`only\` of the list GET ${described.path} must return a condition or 'all'.`)
    return sql<SqlBool>`(${rows})` // its `or` must not end what the filters ask for
  }
  const withMeta = () =>
    Type.Object({
      data: Type.Array(item),
      links: ref(ListLinks),
      meta: Type.Object({ ...ListMeta.properties, ...meta?.schema.properties }),
    })
  addRoute(scope, {
    ...described,
    list: spec,
    answer: meta === undefined ? listOf(item) : withMeta(),
    handle: async (call: Call<unknown>) => {
      const pluginCall = toPluginCall(call)
      const bound = { ...spec, includes: includesFor(list.includes ?? {}, pluginCall.actor) }
      return blaming(async () => {
        const toItems = (rows: readonly unknown[]) => rows.map((row) => list.toItem(row))
        const answer = await answerList(ctx, bound, call, toItems, await scopeFor(pluginCall))
        return meta === undefined ? answer : { ...answer, meta: { ...answer.meta, ...(await meta.load(pluginCall)) } }
      })
    },
  })
}
