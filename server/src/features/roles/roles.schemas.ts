import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, ref, Timestamp } from '../../http/schemas.ts'
import { twoFactorRules } from './roles.table.ts'

const described = {
  display_name: nullable(Type.String({ maxLength: 255, examples: ['Support team'] })),
  description: nullable(Type.String({ maxLength: 1000, examples: ['Answers what users ask.'] })),
}

const answered = {
  removable: Type.Boolean({ description: 'False for a built-in role or permission.', examples: [true] }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const twoFactor = choice(twoFactorRules, {
  description: 'Whether the users of the role must have a second factor.',
  examples: ['optional'],
})

const roleName = Type.String({ minLength: 1, maxLength: 100, examples: ['Support'] })
const permissionName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
  description: 'Letters, digits, dot, colon, hyphen and underscore, of which the first is a letter or digit.',
  examples: ['invoices.read'],
})

export const Permission = component(
  'Permission',
  Type.Object({ id: Id, name: permissionName, ...described, ...answered }),
)
export type Permission = Static<typeof Permission>

export const Role = component(
  'Role',
  Type.Object({
    id: Id,
    name: roleName,
    ...described,
    two_factor: twoFactor,
    removable: answered.removable,
    users_count: Type.Integer({ description: 'The number of users with this role.', examples: [3] }),
    created_at: answered.created_at,
    updated_at: answered.updated_at,
    permissions: Type.Optional(Type.Array(ref(Permission))),
  }),
)
export type Role = Static<typeof Role>

const optional = {
  display_name: Type.Optional(described.display_name),
  description: Type.Optional(described.description),
}

const two_factor = Type.Optional(twoFactor)

export const CreateRole = component('CreateRole', Type.Object({ name: roleName, ...optional, two_factor }))
export type CreateRole = Static<typeof CreateRole>
export const UpdateRole = component(
  'UpdateRole',
  Type.Object({ name: Type.Optional(roleName), ...optional, two_factor }),
)
export type UpdateRole = Static<typeof UpdateRole>
export const CreatePermission = component('CreatePermission', Type.Object({ name: permissionName, ...optional }))
export const UpdatePermission = component(
  'UpdatePermission',
  Type.Object({ name: Type.Optional(permissionName), ...optional }),
)

export const SetRolePermissions = component(
  'SetRolePermissions',
  Type.Object({
    permissions: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      maxItems: 1000,
      description: 'Names or ids. Permissions that are not listed are removed from the role.',
      examples: [['users.manage', 'users.activity']],
    }),
    force: Type.Optional(
      Type.Boolean({
        description: 'Required to give administrator permissions to the role of self-registered accounts.',
        examples: [false],
      }),
    ),
  }),
)
export type SetRolePermissions = Static<typeof SetRolePermissions>
