import { type Static, Type } from 'typebox'
import { component, Id, nullable, Timestamp } from '../../http/schemas.ts'

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Nightly import'] })
const expiry = nullable(
  Type.String({
    format: 'timestamp',
    description: 'When the key expires, UTC; null for never.',
    examples: ['2099-12-31 23:59:59'],
  }),
)
const scope = nullable(
  Type.Unsafe<string[]>({
    type: 'array',
    items: { type: 'string' },
    maxItems: 1000,
    description: "Names of permissions. Null: all of the owner's. An empty list: none.",
    examples: [['users.manage']],
  }),
)

export const ApiKey = component(
  'ApiKey',
  Type.Object({
    id: Id,
    user_id: Type.Integer({ description: 'The owner. The key acts as this user.', examples: [1] }),
    name,
    prefix: nullable(
      Type.String({
        description: 'The first eight characters of the key; null for keys created before these were stored.',
        examples: ['gh_3q2-7'],
      }),
    ),
    permissions: scope,
    expires_at: expiry,
    last_used_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type ApiKey = Static<typeof ApiKey>

/** What creates or rotates a key answers; no other answer has the key. */
export const IssuedApiKey = component(
  'IssuedApiKey',
  Type.Object({
    ...ApiKey.properties,
    key: Type.String({
      description: 'The key itself. Only the answer that creates or rotates the key contains it.',
      examples: ['gh_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    }),
  }),
)
export type IssuedApiKey = Static<typeof IssuedApiKey>

export const CreateApiKey = component(
  'CreateApiKey',
  Type.Object({ name, expires_at: Type.Optional(expiry), permissions: Type.Optional(scope) }),
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const UpdateApiKey = component(
  'UpdateApiKey',
  Type.Object({ name: Type.Optional(name), expires_at: Type.Optional(expiry), permissions: Type.Optional(scope) }),
)
export type UpdateApiKey = Static<typeof UpdateApiKey>
