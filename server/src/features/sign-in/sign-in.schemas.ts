import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'

const password = Type.String({
  format: 'password',
  minLength: 1,
  maxLength: 1024,
  examples: ['a quiet harbour at dawn'],
})
const challenge = { examples: ['MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM'] }

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
    device_name: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, examples: ["Ada's phone"] }),
    ),
    cookie: Type.Optional(
      Type.Boolean({
        description: 'Store the session in an HttpOnly cookie instead of returning a token.',
        examples: [false],
      }),
    ),
  }),
)
export type Login = Static<typeof Login>

export const LoginCode = component(
  'LoginCode',
  Type.Object({
    challenge: Type.String({ minLength: 1, maxLength: 255, ...challenge }),
    token: Type.String({
      'x-digits': 'six',
      minLength: 1,
      maxLength: 255,
      description: 'The code from the SMS.',
      examples: ['042195'],
    }),
  }),
)
export type LoginCode = Static<typeof LoginCode>

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
      Type.Boolean({ description: 'A code was sent by SMS. Continue with POST /login/2fa.', examples: [true] }),
    ),
    challenge: Type.Optional(Type.String(challenge)),
  }),
)
export type LoginAnswer = Static<typeof LoginAnswer>
