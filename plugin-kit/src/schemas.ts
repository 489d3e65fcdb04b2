import { type TSchema, Type } from 'typebox'

/** Gives a schema a name in the OpenAPI document and in the generated client. */
export const named = <S extends TSchema>(name: string, schema: S): S & { $id: string } => ({ ...schema, $id: name })

/** The id of any object. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [2] })

/** A timestamp, `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Timestamp = Type.String({
  pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`,
  description: 'YYYY-MM-DD HH:MM:SS, UTC',
  examples: ['2026-11-20 10:49:27'],
})

/** What `host.users.include` adds to an item: `user: Type.Optional(IncludedUser)`. */
export const IncludedUser = Type.Unsafe<object | null>({ $ref: 'IncludedUser#' })
