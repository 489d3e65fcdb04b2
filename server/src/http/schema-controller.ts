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
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"(\w+)#"/g)) {
    if (Object.hasOwn(found, name) || named[name] === undefined) continue
    found[name] = named[name]
    referredTo(named[name], named, found)
  }
  return found
}

/**
 * What Fastify makes of schemas. Named ones belong to the whole server, as in the OpenAPI document; Fastify would give each
 * scope its own, and another serializer to each route of a scope that has named one. A serializer is compiled when an answer
 * first needs it, once for all routes with the same schema (every route has the same errors), and with what it refers to:
 * all named schemas would be checked again for each.
 */
export function createSchemaController(): SchemaController {
  const named: NamedSchemas = {}
  const bucket = {
    add(schema: TSchema & { $id: string }) {
      named[schema.$id] ??= schema
      // The same one comes again from each scope within.
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
    bucket: () => bucket as never, // its type is wrong: what `add` returns is not looked at
    compilersFactory: { buildSerializer: () => compileSerializer, buildValidator: () => compileValidator as never },
  }
}
