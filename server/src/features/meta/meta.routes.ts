import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { addRoute } from '../../http/route.ts'
import { component, dataOf, nullable } from '../../http/schemas.ts'
import { version } from '../../version.ts'
import { registrationRules } from '../registration/registration-rules.ts'
import { readSettings } from '../settings/settings.service.ts'

const Meta = component(
  'Meta',
  Type.Object({
    version: Type.String({ examples: ['0.1.0'] }),
    plugins: Type.Array(Type.String(), { examples: [['notes']] }),
    console_plugins: Type.Array(Type.String(), {
      description: 'Where the console halves of the plugins are.',
      examples: [['/plugins/notes/console.js']],
    }),
    features: Type.Object({
      registration: Type.Boolean({ examples: [true] }),
      email_confirmation: Type.Boolean({ examples: [true] }),
      password_reset: Type.Boolean({ examples: [true] }),
      two_factor: Type.Boolean({ examples: [true] }),
      passwordless: Type.Boolean({
        description: 'True if people can sign up without a password, with a passkey.',
        examples: [false],
      }),
    }),
    terms: nullable(
      Type.Object(
        {
          version: nullable(Type.String({ examples: ['2026-11'] })),
          url: nullable(Type.String({ examples: ['https://example.com/terms'] })),
        },
        { description: 'Null if the terms need not be accepted.' },
      ),
    ),
    captcha: nullable(
      Type.Object(
        {
          provider: Type.String({ examples: ['turnstile'] }),
          site_key: Type.String({ examples: ['10000000-ffff-ffff-ffff-000000000001'] }),
        },
        { description: 'Null if registration asks for none.' },
      ),
    ),
    password_min_length: Type.Integer({ examples: [8] }),
  }),
)

/** What the public pages need before sign-in. */
export function metaRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/meta',
    tag: 'Meta',
    operationId: 'getMeta',
    summary: 'Get the name of this installation and its enabled features',
    access: { public: true },
    answer: dataOf(Meta),
    handle: async () => {
      const settings = await readSettings(ctx)
      const { isOpen, mustConfirm, mayLackPassword, terms, captcha } = registrationRules(settings, ctx.config)
      const data = {
        version,
        plugins: [...ctx.plugins.ids],
        console_plugins: [...ctx.plugins.consoles],
        features: {
          registration: isOpen,
          email_confirmation: mustConfirm,
          password_reset: settings['password_reset.enabled'],
          two_factor: settings['two_factor.enabled'],
          passwordless: mayLackPassword,
        },
        terms,
        captcha: captcha && { provider: captcha.provider, site_key: captcha.siteKey },
        password_min_length: settings['password.min_length'],
      }
      return { data }
    },
  })
}
