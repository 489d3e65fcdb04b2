import { Ajv2020 } from 'ajv/dist/2020.js'
import { createOpenApiDocument } from '../cli/openapi.ts'
import { isHttpUrl } from '../core/formats.ts'

/** What the tests read of a JSON schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
}

export interface Parameter {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

type Content = { readonly content: { readonly 'application/json': { readonly schema: Schema } } }

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const openApiDocument = (await createOpenApiDocument()) as unknown as OpenApiDocument

export interface DescribedOperation extends Operation {
  readonly method: string
  readonly path: string
}

/** Every operation of the document. */
export const operations: readonly DescribedOperation[] = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
)

export const parametersOf = (operation: Operation, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place)

const escapePointer = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1')

/** Every value of the document below `value`, with the keys that lead to it. */
export function* walk(
  value: unknown,
  keys: readonly string[] = [],
): Generator<{ keys: readonly string[]; node: object }> {
  if (typeof value !== 'object' || value === null) return
  yield { keys, node: value }
  for (const [key, child] of Object.entries(value)) yield* walk(child, [...keys, key])
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/)
ajv.addFormat('timestamp', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/)
ajv.addFormat('http-url', isHttpUrl)
ajv.addFormat('password', true)
ajv.addFormat('binary', true)
ajv.addFormat('int64', true)
ajv.addVocabulary(['x-also-true', 'x-digits', 'openapi', 'info', 'servers', 'security', 'components', 'paths', 'tags'])
ajv.addSchema(openApiDocument, 'openapi')

/** What is wrong with a value, by the schema at this place of the document. */
export function mismatches(keys: readonly (string | number)[], value: unknown): string[] {
  const validate = ajv.getSchema(`openapi#/${keys.map(escapePointer).map(encodeURIComponent).join('/')}`)
  if (validate === undefined) return [`no schema at ${keys.join(' ')}`]
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
}

/** The schema itself, behind its name. */
export const resolve = ({ $ref, ...schema }: Schema): Schema =>
  $ref === undefined ? schema : (openApiDocument.components.schemas[$ref.split('/').at(-1) as string] as Schema)

/** The body that the page with the documentation offers to send: the example of every field. */
export function sampleBody(operation: Operation): Record<string, unknown> | undefined {
  if (operation.requestBody === undefined) return undefined
  const { properties = {} } = resolve(operation.requestBody.content['application/json'].schema)
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, resolve(field).examples?.[0]]))
}
