import { type Static, Type } from 'typebox'
import { component, Timestamp } from '../../http/schemas.ts'

export const Session = component(
  'Session',
  Type.Object({
    id: Type.String({ description: 'A handle; not the credential.', examples: ['sX0c1vV3b0m9b1hQJ2mA4g'] }),
    user_id: Type.Integer({ examples: [2] }),
    ip_address: Type.String({ examples: ['203.0.113.7'] }),
    user_agent: Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'] }),
    browser: Type.String({ examples: ['Firefox'] }),
    platform: Type.String({ examples: ['Linux'] }),
    device: Type.String({ examples: ['Desktop'] }),
    last_activity: Timestamp,
  }),
)
export type Session = Static<typeof Session>

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
      description: 'The username or the e-mail address.',
      examples: ['ada@example.com'],
    }),
    password,
    device_name: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, examples: ["Ada's phone"] }),
    ),
    cookie: Type.Optional(
      Type.Boolean({
        description: 'Keep the session in an HttpOnly cookie instead of answering a token.',
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
        description: 'For the Authorization header, as an API key.',
        examples: ['gs_vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
      }),
    ),
    success: Type.Optional(
      Type.Boolean({ description: 'With `cookie`: the session is in the cookie.', examples: [true] }),
    ),
    two_factor_required: Type.Optional(
      Type.Boolean({ description: 'A code was sent by SMS; go on with POST /login/2fa.', examples: [true] }),
    ),
    challenge: Type.Optional(Type.String(challenge)),
  }),
)
export type LoginAnswer = Static<typeof LoginAnswer>
