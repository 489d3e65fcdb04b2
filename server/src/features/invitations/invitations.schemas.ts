import { type Static, Type } from 'typebox'
import { component, Timestamp } from '../../http/schemas.ts'
import { linkToken } from '../tokens/tokens.schemas.ts'
import { CreateUser } from '../users/users.schemas.ts'

const { password, password_confirmation, ...invited } = CreateUser.properties

export const InviteUser = component('InviteUser', Type.Object(invited))
export type InviteUser = Static<typeof InviteUser>

export const InvitationToken = component('InvitationToken', Type.Object({ token: linkToken }))
export type InvitationToken = Static<typeof InvitationToken>

export const InvitationPreview = component(
  'InvitationPreview',
  Type.Object({
    email: CreateUser.properties.email,
    username: CreateUser.properties.username,
    expires_at: Timestamp,
  }),
)
export type InvitationPreview = Static<typeof InvitationPreview>

export const AcceptInvitation = component(
  'AcceptInvitation',
  Type.Object({ token: linkToken, username: CreateUser.properties.username, password, password_confirmation }),
)
export type AcceptInvitation = Static<typeof AcceptInvitation>
