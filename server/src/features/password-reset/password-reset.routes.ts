import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { originOf } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { RemindPassword, ResetLink, ResetPassword, ResetPreview } from './password-reset.schemas.ts'
import { previewReset, remindPassword, resetPassword } from './password-reset.service.ts'

const whenSwitchedOff = { 404: 'password reset is switched off' } as const

export function passwordResetRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/password/remind',
    tag: 'Password reset',
    operationId: 'remindPassword',
    refusals: whenSwitchedOff,
    summary: 'Ask for a reset email',
    description:
      'The answer is the same whether or not the address has an account. At most one email a minute is sent.',
    access: { public: true },
    body: RemindPassword,
    answer: 'success',
    handle: ({ body, request }) => remindPassword(ctx, originOf(request), body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/password/reset',
    tag: 'Password reset',
    operationId: 'resetPassword',
    refusals: whenSwitchedOff,
    summary: 'Set a new password with the token from the email',
    description:
      'The token works once, within 60 minutes. All sessions of the user end, and API keys unless `revoke_keys` is false.',
    access: { public: true },
    body: ResetPassword,
    answer: 'success',
    handle: ({ body, request }) => resetPassword(ctx, originOf(request), body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/password/reset/preview',
    tag: 'Password reset',
    operationId: 'previewPasswordReset',
    refusals: whenSwitchedOff,
    summary: 'See how many API keys a reset would revoke',
    description: 'The token stays valid, so that a page can show the number and ask first.',
    access: { public: true },
    body: ResetLink,
    answer: dataOf(ResetPreview),
    handle: async ({ body }) => ({ data: await previewReset(ctx, body) }),
  })
}
