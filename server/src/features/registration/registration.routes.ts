import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { assertMayGetCookie, setCookie } from '../../http/cookies.ts'
import { originOf } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf, ref, succeeded } from '../../http/schemas.ts'
import { confirmEmail, previewConfirmation, resendConfirmation } from './email-confirmation.service.ts'
import {
  ConfirmEmail,
  ConfirmEmailAnswer,
  EmailAddress,
  EmailPreview,
  EmailToken,
  Register,
  RegisterAnswer,
} from './registration.schemas.ts'
import { register } from './registration.service.ts'

const open = { public: true } as const

export function registrationRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/register',
    tag: 'Registration',
    operationId: 'registerAccount',
    refusals: { 404: 'registration is switched off' },
    summary: 'Register an account',
    description: 'GET /meta says which other fields are required.',
    access: open,
    body: Register,
    status: 201,
    answer: ref(RegisterAnswer),
    handle: async ({ body, request }) => ({
      requires_email_confirmation: await register(ctx, originOf(request), body),
    }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/email/verify',
    tag: 'Registration',
    operationId: 'confirmEmail',
    refusals: { 403: 'a page of another site asks for the cookie' },
    summary: 'Confirm an email address',
    description:
      'With the token from the email, which works once and within 24 hours, and the password of the account. After five wrong passwords the token is void.',
    access: open,
    body: ConfirmEmail,
    answer: ref(ConfirmEmailAnswer),
    handle: async ({ body, request, reply }) => {
      const wantsCookie = body.given.cookie === true
      if (wantsCookie) assertMayGetCookie(request, ctx.config)
      const token = await confirmEmail(ctx, originOf(request), body)
      if (token === undefined) return succeeded
      if (!wantsCookie) return { ...succeeded, token }
      setCookie(reply, ctx.config, token)
      return succeeded
    },
  })

  addRoute(app, {
    method: 'POST',
    path: '/email/verify/preview',
    tag: 'Registration',
    operationId: 'previewEmailConfirmation',
    summary: 'Show the address that a token would confirm',
    description: 'The token stays valid, so that a page can show the address and ask before it confirms.',
    access: open,
    body: EmailToken,
    answer: dataOf(EmailPreview),
    handle: async ({ body }) => ({ data: await previewConfirmation(ctx, body) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/email/resend',
    tag: 'Registration',
    operationId: 'resendEmailConfirmation',
    summary: 'Send the confirmation email again',
    description: 'The answer is the same for any address. At most one email a minute is sent.',
    access: open,
    body: EmailAddress,
    status: 202,
    answer: 'success',
    handle: ({ body, request }) => resendConfirmation(ctx, originOf(request), body),
  })
}
