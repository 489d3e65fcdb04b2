import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'
import { answerMethod, credential, PasskeyRequestOptions } from '../two-factor/factors.schemas.ts'
import { currentPassword } from '../users/users.schemas.ts'

const challenge = { examples: ['MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM'] }

export const Reauthenticate = component(
  'Reauthenticate',
  Type.Object({
    current_password: Type.Optional(currentPassword),
    token: Type.Optional(
      Type.String({
        'x-digits': 'six',
        minLength: 1,
        maxLength: 255,
        description:
          'With the password where a second factor is on: a code of the app, of the SMS, or a recovery code.',
        examples: ['042195'],
      }),
    ),
    method: Type.Optional(answerMethod),
    challenge: Type.Optional(Type.String({ minLength: 1, maxLength: 255, ...challenge })),
    credential: Type.Optional(credential),
  }),
)
export type Reauthenticate = Static<typeof Reauthenticate>

export const ReauthenticationOptions = component(
  'ReauthenticationOptions',
  Type.Object({ challenge: Type.String(challenge), options: PasskeyRequestOptions }),
)
export type ReauthenticationOptions = Static<typeof ReauthenticationOptions>

export const ReauthenticationCode = component(
  'ReauthenticationCode',
  Type.Object({ challenge: Type.String(challenge) }),
)
export type ReauthenticationCode = Static<typeof ReauthenticationCode>
