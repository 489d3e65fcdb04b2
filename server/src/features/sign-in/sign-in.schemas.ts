import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'
import { answerMethod, credential, PasskeyRequestOptions } from '../two-factor/factors.schemas.ts'

const password = Type.String({
  format: 'password',
  minLength: 1,
  maxLength: 1024,
  examples: ['a quiet harbour at dawn'],
})
const challenge = { examples: ['MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM'] }

const device_name = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, examples: ["Ada's phone"] }),
)
const cookie = Type.Optional(
  Type.Boolean({
    description: 'Store the session in an HttpOnly cookie instead of returning a token.',
    examples: [false],
  }),
)

export const Login = component(
  'Login',
  Type.Object({
    username: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The username or the email address.',
      examples: ['ada@example.com'],
    }),
    password,
    device_name,
    cookie,
  }),
)
export type Login = Static<typeof Login>

export const LoginCode = component(
  'LoginCode',
  Type.Object({
    challenge: Type.String({ minLength: 1, maxLength: 255, ...challenge }),
    token: Type.Optional(
      Type.String({
        'x-digits': 'six',
        minLength: 1,
        maxLength: 255,
        description: 'The six digits of the app or the SMS, or a recovery code. Required without `credential`.',
        examples: ['042195'],
      }),
    ),
    method: Type.Optional(answerMethod),
    credential: Type.Optional(credential),
  }),
)
export type LoginCode = Static<typeof LoginCode>

export const LoginChallenge = component(
  'LoginChallenge',
  Type.Object({ challenge: Type.String({ minLength: 1, maxLength: 255, ...challenge }) }),
)
export type LoginChallenge = Static<typeof LoginChallenge>

/** A passkey's challenge is sealed: nothing is stored before somebody answers. */
const passkeyChallenge = { minLength: 1, maxLength: 500, ...challenge }

export const PasskeyChallenge = component(
  'PasskeyChallenge',
  Type.Object({ challenge: Type.String(passkeyChallenge), options: PasskeyRequestOptions }),
)
export type PasskeyChallenge = Static<typeof PasskeyChallenge>

export const LoginPasskey = component(
  'LoginPasskey',
  Type.Object({ challenge: Type.String(passkeyChallenge), credential, device_name, cookie }),
)
export type LoginPasskey = Static<typeof LoginPasskey>

export const LoginAnswer = component(
  'LoginAnswer',
  Type.Object({
    token: Type.Optional(
      Type.String({
        description: 'Use it in the Authorization header, like an API key.',
        examples: ['gs_vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
      }),
    ),
    success: Type.Optional(
      Type.Boolean({ description: 'With `cookie`: the session is in the cookie.', examples: [true] }),
    ),
    two_factor_required: Type.Optional(
      Type.Boolean({
        description: 'Continue with POST /login/2fa. If the first method is `sms`, a code was sent.',
        examples: [true],
      }),
    ),
    challenge: Type.Optional(Type.String(challenge)),
    methods: Type.Optional(
      Type.Array(Type.String(), {
        examples: [['totp', 'recovery_code']],
        description: 'The methods that the user has, the preferred first: totp, sms, passkey, recovery_code.',
      }),
    ),
    options: Type.Optional(PasskeyRequestOptions),
    two_factor_enrolment_required: Type.Optional(
      Type.Boolean({
        description:
          'The role requires a second factor and the user has none: until one is on, the session can only add one.',
        examples: [true],
      }),
    ),
  }),
)
export type LoginAnswer = Static<typeof LoginAnswer>
