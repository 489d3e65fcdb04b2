import type { FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type Access, anyCredential } from './credentials.ts'
import type { ListSpec } from './lists/spec.ts'
import { ErrorAnswer, Id, ref, ValidationErrorAnswer } from './schemas.ts'

/** What the OpenAPI document says about a route besides its schemas. */
export interface Documentation {
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly operationId: string
  /** True if it can be refused with a 422 that concerns no field and has only a message. */
  readonly mayBeRefused?: boolean
  /**
   * Why else it answers 403 or 404, whoever calls it and whatever its path names (a feature that is switched off, an account that
   * is banned), and why 409.
   */
  readonly refusals?: { readonly 403?: string; readonly 404?: string; readonly 409?: string }
  /** Accepts a form with one file, in the field `file`, instead of JSON. */
  readonly takesFile?: boolean
  /** Accepts a file of one of these types instead of JSON, as a stream. */
  readonly takesText?: readonly string[]
  /** Types of text that it can answer with, besides the type of its answer. */
  readonly alsoAnswers?: readonly string[]
  /** The parameters of its path that are numbers, besides `{id}`. */
  readonly ids?: readonly string[]
  /** Parameters of the query, besides those of a list. */
  readonly query?: Readonly<Record<string, TSchema>>
  /** Headers of the request that it reads, besides those of all routes. */
  readonly headers?: Readonly<Record<string, TSchema>>
  /** Accepts a form instead of JSON, and ignores its content. */
  readonly takesForm?: boolean
  /** The list that a GET answers, or its known includes. */
  readonly list?: Pick<ListSpec<never>, 'sorts' | 'filters' | 'includes' | 'defaultSort'>
  readonly includes?: object
}

interface Described extends Documentation {
  readonly path: string
  readonly method: string
  readonly access: Access
  readonly body?: TSchema
  readonly answer: TSchema
}

const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ description, ...(examples.length > 0 ? { examples } : {}) }))

const includeParameter = (includes: object) => {
  const names = Object.keys(includes)
  return names.length === 0 ? {} : { include: text(`Comma-separated: ${names.join(', ')}.`, names.join(',')) }
}

/** The parameters of these filters. */
export const filterParameters = (filters: ListSpec<never>['filters']): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      `filter[${name}]`,
      text(filter.description ?? `Takes ${filter.expects}.`),
    ]),
  )

/** The parameters of a list that is answered as a whole. */
export const unpagedParameters = (
  list: Pick<ListSpec<never>, 'sorts' | 'defaultSort' | 'filters'>,
): Record<string, TSchema> => ({
  sort: text(
    `Comma-separated, minus for descending: ${Object.keys(list.sorts).join(', ')}. Default: ${list.defaultSort}.`,
    list.defaultSort,
  ),
  ...filterParameters(list.filters),
})

function listParameters(list: NonNullable<Documentation['list']>): Record<string, TSchema> {
  return {
    ...includeParameter(list.includes),
    ...unpagedParameters(list),
    page: Type.Optional(Type.Integer({ description: 'Which page. Less than 1 is read as 1.', default: 1 })),
    per_page: Type.Optional(
      Type.Integer({
        description: 'The number of objects on a page. More than 100 is read as 100, less than 1 as 20.',
        default: 20,
      }),
    ),
    cursor: text(
      'A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`.',
    ),
  }
}

function describeAccess(access: Access): string {
  if ('public' in access) return 'Needs no credential.'
  if (access.permission === anyCredential) return 'Needs any valid credential.'
  const names = typeof access.permission === 'string' ? [access.permission] : access.permission
  return `Needs the permission ${names.map((name) => `\`${name}\``).join(' or ')}.`
}

/** A schema under a status. Next to a `$ref`, the OpenAPI generator expects the keyword outside; for an inline schema, inside. */
const answer = (schema: TSchema, description: string): TSchema => ({
  ...schema,
  ['$ref' in schema ? 'description' : 'x-response-description']: description,
})

/** The success answer: JSON, unless the schema says otherwise; and what else it can be. */
function successAnswer(schema: TSchema, description: string, others: readonly string[] = []): object {
  const { contentMediaType } = schema as { contentMediaType?: string }
  if (contentMediaType === undefined && others.length === 0) return answer(schema, description)
  const texts = others.map((contentMediaType) => [contentMediaType, { schema: Type.String({ contentMediaType }) }])
  return {
    description,
    content: { [contentMediaType ?? 'application/json']: { schema }, ...Object.fromEntries(texts) },
  }
}

/** The error answer for these reasons, if there are any. */
function refusal(status: number, ...reasons: readonly (string | false | undefined)[]): Record<string, TSchema> {
  const text = reasons.filter(Boolean).join(', or ')
  return text === '' ? {} : { [status]: answer(ref(ErrorAnswer), `${text.charAt(0).toUpperCase()}${text.slice(1)}.`) }
}

/** A file upload in OpenAPI 3.1. */
const FileForm = Type.Object({ file: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }) })

/** A file that is the whole body. */
const TextFile = Type.String({ description: 'The file.' })

function unprocessable({
  method,
  body,
  list,
  query = {},
  takesFile,
  takesText,
  mayBeRefused,
}: Described): Record<string, TSchema> {
  const fields = 'Every failing field with its error messages.'
  const hasFilters = list !== undefined || Object.keys(query).some((name) => name.startsWith('filter['))
  const hasFields = body !== undefined || hasFilters || takesFile === true || takesText !== undefined
  const conflicts = [
    ...(mayBeRefused === true ? ['it conflicts with the current state'] : []),
    ...(method === 'POST' ? ['the Idempotency-Key was used for another request'] : []),
  ]
  if (!hasFields) return refusal(422, ...conflicts)
  if (conflicts.length === 0) return { 422: answer(ref(ValidationErrorAnswer), fields) }
  const either = Type.Union([ref(ValidationErrorAnswer), ref(ErrorAnswer)])
  return { 422: answer(either, `${fields} Without \`errors\`: ${conflicts.join(', or ')}.`) }
}

/** The error answers that a route can give. */
function errorAnswers(route: Described): Record<string, TSchema> {
  const error = (description: string) => answer(ref(ErrorAnswer), description)
  const { access } = route
  const isPublic = 'public' in access
  const takesBody = route.method !== 'GET' // even if a body is not expected, one that is sent must be readable
  return {
    400: error('Malformed request.'),
    ...(isPublic ? {} : { 401: error('No valid credential.') }),
    // Also where any credential is enough: the role of its holder may require a second factor first.
    ...refusal(403, !isPublic && 'not permitted', route.refusals?.[403]),
    ...refusal(404, route.path.includes('{') && 'no such object', route.refusals?.[404]),
    ...(takesBody
      ? {
          408: error('The body took too long to arrive.'),
          413: error('The body is too large.'),
          415: error(
            `The body is not ${route.takesFile === true || route.takesForm === true ? 'a form' : 'JSON or a form'}.`,
          ),
        }
      : {}),
    ...refusal(
      409,
      route.method === 'POST' && 'the first request with this Idempotency-Key is running, or its answer was lost',
      route.refusals?.[409],
    ),
    ...unprocessable(route),
    429: error('Too many requests. `Retry-After` says when to retry.'),
    503: error('The database is unavailable or the server is overloaded. `Retry-After` says when to retry.'),
  }
}

/** A `{name}` in a path: `{id}` and what the route lists in `ids` are numbers, all others are text. */
function pathParameter(name: string, ids: readonly string[]): TSchema {
  if (name === 'id') return { ...Id, description: 'The id of the object.' }
  const description = `The id of the ${name} that is meant.`
  return ids.includes(name) ? { ...Id, description } : Type.String({ minLength: 1, description })
}

/**
 * Fastify makes a serialiser for every schema under `response`. For the errors of all routes this would take 40 MB and half
 * a second. `answerError` writes errors itself, so their schemas are only for the document.
 */
export type DescribedSchema = FastifySchema & { errorResponses?: Record<string, TSchema> }

export type SuccessStatus = 200 | 201 | 202
const successes: Record<SuccessStatus, string> = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.' }

/** Everything that Fastify's serialisation and the OpenAPI document need to know about a route. */
export function describeRoute(route: Described, status: SuccessStatus): DescribedSchema {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const query = {
    ...(route.list !== undefined ? listParameters(route.list) : includeParameter(route.includes ?? {})),
    ...route.query,
  }
  return {
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeAccess(route.access)].filter(Boolean).join(' '),
    operationId: route.operationId,
    ...('public' in route.access ? { security: [] } : {}),
    ...(names.length > 0
      ? { params: Type.Object(Object.fromEntries(names.map((name) => [name, pathParameter(name, route.ids ?? [])]))) }
      : {}),
    ...(Object.keys(query).length > 0 ? { querystring: Type.Object(query) } : {}),
    ...(route.headers !== undefined ? { headers: Type.Object(route.headers) } : {}),
    ...(route.body !== undefined ? { body: route.body } : {}),
    ...(route.takesFile === true ? { body: FileForm, consumes: ['multipart/form-data'] } : {}),
    ...(route.takesText !== undefined ? { body: TextFile, consumes: [...route.takesText] } : {}),
    response: { [status]: successAnswer(route.answer, successes[status], route.alsoAnswers) },
    errorResponses: errorAnswers(route),
  } as DescribedSchema
}
