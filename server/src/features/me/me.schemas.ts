import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'
import { UpdateUser } from '../users/users.schemas.ts'

const {
  email,
  username,
  password,
  password_confirmation,
  role_id: _role,
  status: _status,
  revoke_keys: _keys,
  reason: _reason,
  current_password,
  ...profile
} = UpdateUser.properties

export const UpdateOwnDetails = component('UpdateOwnDetails', Type.Object(profile))
export type UpdateOwnDetails = Static<typeof UpdateOwnDetails>

export const UpdateOwnSignIn = component(
  'UpdateOwnSignIn',
  Type.Object({
    email,
    username,
    password,
    password_confirmation,
    current_password,
  }),
)
export type UpdateOwnSignIn = Static<typeof UpdateOwnSignIn>

export const PermissionName = component('PermissionName', Type.String({ examples: ['users.manage'] }))
