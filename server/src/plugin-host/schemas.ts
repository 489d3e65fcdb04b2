import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { User } from '../features/users/users.schemas.ts'
import { nullable } from '../http/schemas.ts'
import { refusePlugin } from './refuse.ts'

/** What `host.users.include` adds to an item: a whole user or a profile; null once deleted. */
export const IncludedUser = {
  ...nullable(User),
  $id: 'IncludedUser',
  description:
    'The whole user for callers with `users.manage`, else only the profile: the required fields. Null once deleted.',
  required: ['id', 'username', 'first_name', 'last_name', 'avatar'],
} as unknown as TSchema

const isSchema = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Adds each nested named schema to the server, and replaces it by a reference, so that each name exists once in the document. */
export function shareNamed(app: FastifyInstance, source: string, schema: TSchema): TSchema {
  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share)
    if (!isSchema(value)) return value
    const { $id, ...rest } = value
    const shared = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, share(part)]))
    if (typeof $id !== 'string') return shared
    const known = app.getSchema($id)
    if (known === undefined) app.addSchema({ ...shared, $id })
    else if (JSON.stringify(known) !== JSON.stringify({ ...shared, $id }))
      refusePlugin(source, `the schema name "${$id}" is taken.`)
    return { $ref: `${$id}#` }
  }
  return share(schema) as TSchema
}
