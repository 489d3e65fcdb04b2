import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { originOf } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { SecureAccount, SecureAccountPreview } from './secure-account.schemas.ts'
import { previewSecureAccount, secureAccount } from './secure-account.service.ts'

const tag = 'Sign-in'
const access = { public: true } as const

export function secureAccountRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/secure-account/preview',
    tag,
    operationId: 'previewSecureAccount',
    summary: 'Say what the link of a security mail would do',
    access,
    body: SecureAccount,
    answer: dataOf(SecureAccountPreview),
    handle: async ({ body }) => ({ data: await previewSecureAccount(ctx, body) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/secure-account',
    tag,
    operationId: 'secureAccount',
    summary: 'Take an account back with the link of a security mail',
    description:
      'Ends all sessions, revokes the API keys of the last seven days, voids pending changes and the password, takes a change of address back, and sends a password reset. The link works once, within 72 hours.',
    access,
    body: SecureAccount,
    answer: 'success',
    handle: ({ request, body }) => secureAccount(ctx, originOf(request), body),
  })
}
