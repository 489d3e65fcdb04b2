import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { originOf } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { User } from '../users/users.schemas.ts'
import { toUser } from '../users/users.service.ts'
import { AcceptInvitation, InvitationPreview, InvitationToken, InviteUser } from './invitations.schemas.ts'
import { acceptInvitation, inviteAgain, inviteUser, previewInvitation } from './invitations.service.ts'
import { sendConfirmationFor, sendResetFor } from './user-mails.service.ts'

const mayManage = { permission: 'users.manage' } as const

export function invitationsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/users/invite',
    tag: 'Users',
    operationId: 'inviteUser',
    summary: 'Invite a user by email',
    description:
      'The account is Unconfirmed and has no password until its owner opens the link, which works once and within 72 hours.',
    access: mayManage,
    body: InviteUser,
    status: 201,
    answer: dataOf(User),
    handle: ({ actor, body }) => inviteUser(ctx, actor, body),
    toAnswer: (user) => ({ data: toUser(user, ctx.config) }),
  })

  const mails = [
    ['invite', 'sendInvitation', 'Send another invitation', 'The link of the earlier one is void.', inviteAgain],
    ['password-reset', 'sendPasswordReset', 'Send a password reset email', '', sendResetFor],
    ['email-confirmation', 'sendEmailConfirmation', 'Send the confirmation email again', '', sendConfirmationFor],
  ] as const
  for (const [name, operationId, summary, description, send] of mails) {
    addRoute(app, {
      method: 'POST',
      path: `/users/{id}/${name}`,
      tag: 'Users',
      operationId,
      summary,
      description: `${description} At most one a minute is sent; beyond it the answer is 429.`.trim(),
      access: mayManage,
      mayBeRefused: true,
      answer: 'success',
      handle: ({ actor, id }) => send(ctx, actor, id),
    })
  }

  addRoute(app, {
    method: 'POST',
    path: '/invitations/preview',
    tag: 'Invitations',
    operationId: 'previewInvitation',
    summary: 'Show whose invitation a token is',
    description: 'The token stays valid, so that a page can show the address and ask before it accepts.',
    access: { public: true },
    body: InvitationToken,
    answer: dataOf(InvitationPreview),
    handle: async ({ body }) => ({ data: await previewInvitation(ctx, body) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/invitations/accept',
    tag: 'Invitations',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Sets the password, and a username if one is sent. The account is then Active.',
    access: { public: true },
    body: AcceptInvitation,
    answer: 'success',
    handle: ({ body, request }) => acceptInvitation(ctx, originOf(request), body),
  })
}
