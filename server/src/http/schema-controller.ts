import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { compileDraft } from '../core/draft.ts'
import { onFirstUse } from '../core/on-first-use.ts'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type NamedSchemas = Record<string, TSchema>

const serializersFor = SerializerSelector()

/** The named schemas that this one refers to, and those that they refer to in turn. */
function referredTo(schema: unknown, named: NamedSchemas, found: NamedSchemas = {}): NamedSchemas {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)/g)) {
    if (Object.hasOwn(found, name) || named[name] === undefined) continue
    found[name] = named[name]
    referredTo(named[name], named, found)
  }
  return found
}

/**
 * How Fastify names and compiles schemas. All scopes of a server share the named schemas, as they do in the OpenAPI document.
 * By default each scope has its own, and each route of a scope that names one compiles its own serializers. Here a serializer
 * is compiled when an answer first needs it, once for all routes with the same schema: every route has the same errors. It
 * is given only the schemas that it refers to, because all that it is given are validated.
 */
export function createSchemaController(): SchemaController {
  const named: NamedSchemas = {}
  const bucket = {
    add(schema: TSchema & { $id: string }) {
      named[schema.$id] ??= schema
      // Fastify adds a schema of a scope to its child scopes, too.
      if (named[schema.$id] !== schema) throw new Error(`the schema name "${schema.$id}" is taken`)
      return bucket
    },
    getSchema: (name: string) => named[name],
    getSchemas: () => named,
  }
  type Compiler = ReturnType<typeof serializersFor>
  const serializers = new Map<string, ReturnType<Compiler>>()
  const compileSerializer: Compiler = (route) => {
    const key = JSON.stringify(route.schema)
    const known = serializers.get(key)
    if (known !== undefined) return known
    const serialize = onFirstUse(() => serializersFor(referredTo(route.schema, named))(route)) as ReturnType<Compiler>
    serializers.set(key, serialize)
    return serialize
  }
  // Bodies become drafts; paths and queries are parsed by the code that uses them.
  const compileValidator = ({ schema, httpPart }: { schema: TSchema; httpPart?: string }) => {
    if (httpPart !== 'body') return () => true
    const read = compileDraft(schema)
    return (body: unknown) => ({ value: read(body) })
  }
  return {
    bucket: () => bucket as never, // by its type, `add` returns the server; Fastify ignores what it returns
    // By its type, a validator is one of Ajv; ours returns a draft.
    compilersFactory: { buildSerializer: () => compileSerializer, buildValidator: () => compileValidator as never },
  }
}
