import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable } from '../../http/schemas.ts'
import { bulkActions } from './bulk.actions.ts'

export const BulkUsers = component(
  'BulkUsers',
  Type.Object({
    action: choice(bulkActions, { examples: ['ban'] }),
    role_id: Type.Optional(nullable({ ...Id, description: 'For set_role.' })),
    filter: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description:
          'The filters of GET /users by name, such as search, status, role_id, country_id, created_before; each with a value. None at all: everybody.',
        examples: [{ status: 'Unconfirmed', created_before: '2026-01-01' }],
      }),
    ),
    ids: Type.Optional(
      nullable(
        Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
          minItems: 1,
          maxItems: 10_000,
          description: 'Instead of a filter.',
          examples: [[2, 3]],
        }),
      ),
    ),
    expected: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'How many users match: with another number nothing is done. Also those whom you may not change count.',
      examples: [2],
    }),
  }),
)
export type BulkUsers = Static<typeof BulkUsers>
