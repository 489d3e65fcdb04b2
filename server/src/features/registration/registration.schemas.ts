import { type Static, Type } from 'typebox'
import { alwaysTrue, component } from '../../http/schemas.ts'
import { linkToken } from '../tokens/tokens.schemas.ts'
import { CreateUser } from '../users/users.schemas.ts'

const { email, password, password_confirmation } = CreateUser.properties

/** Providers' responses are up to a few thousand characters long. */
export const longestCaptcha = 8192

const captcha = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: longestCaptcha,
    description: "The captcha provider's response.",
    examples: ['10000000-aaaa-bbbb-cccc-000000000001'],
  }),
)

/** The provider's own name for the field. Its shape is checked where it is read, so that the error appears at `g-captcha-response`. */
const otherCaptcha = Type.Optional(
  Type.Unknown({
    description: 'Used if g-captcha-response is missing.',
    examples: ['10000000-aaaa-bbbb-cccc-000000000001'],
  }),
)

export const Register = component(
  'Register',
  Type.Object({
    username: Type.String({ minLength: 1, maxLength: 255, examples: ['ada'] }),
    email,
    password,
    password_confirmation,
    tos: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        'x-also-true': ['on', 'yes'],
        description: 'True if the terms of service are accepted.',
        examples: [true],
      }),
    ),
    'g-captcha-response': captcha,
    'g-recaptcha-response': otherCaptcha,
    'h-captcha-response': otherCaptcha,
    'cf-turnstile-response': otherCaptcha,
  }),
)
export type Register = Static<typeof Register>

export const RegisterAnswer = component(
  'RegisterAnswer',
  Type.Object({
    requires_email_confirmation: Type.Boolean({
      description: 'True if an email with a confirmation link was sent.',
      examples: [true],
    }),
  }),
)

export const EmailToken = component('EmailToken', Type.Object({ token: linkToken }))
export type EmailToken = Static<typeof EmailToken>

export const ConfirmEmail = component(
  'ConfirmEmail',
  Type.Object({
    token: linkToken,
    password: Type.String({
      format: 'password',
      minLength: 1,
      maxLength: 1024,
      description: 'The current password of the account; not needed where it has none.',
      examples: ['correct horse battery staple'],
    }),
    cookie: Type.Optional(
      Type.Boolean({
        description:
          'Where the account has no password: store its first session in a cookie instead of returning a token.',
        examples: [false],
      }),
    ),
  }),
)
export type ConfirmEmail = Static<typeof ConfirmEmail>

export const ConfirmEmailAnswer = component(
  'ConfirmEmailAnswer',
  Type.Object({
    success: alwaysTrue,
    token: Type.Optional(
      Type.String({
        description: 'The first session of an account without a password, to add a passkey.',
        examples: ['gs_vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
      }),
    ),
  }),
)

export const EmailAddress = component('EmailAddress', Type.Object({ email }))
export type EmailAddress = Static<typeof EmailAddress>

export const EmailPreview = component(
  'EmailPreview',
  Type.Object({
    email: Type.String({ examples: ['ada@example.com'] }),
    without_password: Type.Optional(
      Type.Boolean({
        description: 'True if the account has no password: the token alone confirms it.',
        examples: [true],
      }),
    ),
  }),
)
