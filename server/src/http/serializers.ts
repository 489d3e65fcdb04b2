import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { onFirstUse } from '../core/on-first-use.ts'

const build = SerializerSelector()

/**
 * Fastify's serializers, each compiled when an answer first needs it, and once for all routes with the same schema. Every
 * route has the same errors, and compiling them all took most of the start.
 */
export const buildSerializers: typeof build = (externalSchemas, options) => {
  const compile = build(externalSchemas, options)
  const compiled = new Map<string, ReturnType<typeof compile>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    const known = compiled.get(key)
    if (known !== undefined) return known
    const serialize = onFirstUse(() => compile(route)) as ReturnType<typeof compile>
    compiled.set(key, serialize)
    return serialize
  }
}
