import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, ref, Timestamp } from '../../http/schemas.ts'
import { currentPassword, User } from '../users/users.schemas.ts'

export const Factor = component(
  'Factor',
  Type.Object({
    id: Id,
    type: choice(['sms', 'totp', 'passkey'], { examples: ['totp'] }),
    name: Type.String({ examples: ['Phone'] }),
    verified: Type.Boolean({ description: 'False while it waits for its first code.', examples: [true] }),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
  }),
)
export type Factor = Static<typeof Factor>

export const FactorList = component(
  'FactorList',
  Type.Object({
    data: Type.Array(ref(Factor)),
    meta: Type.Object({ recovery_codes_left: Type.Integer({ examples: [10] }) }),
  }),
)

const recoveryCodes = Type.Array(Type.String(), {
  examples: [['7k2mq-x9d4t']],
  description: 'Shown only here: each replaces a factor once.',
})

export const FactorTurnedOn = component(
  'FactorTurnedOn',
  Type.Object({ data: ref(Factor), recovery_codes: Type.Optional(recoveryCodes) }),
)

export const SmsTurnedOn = component(
  'SmsTurnedOn',
  Type.Object({ data: ref(User), recovery_codes: Type.Optional(recoveryCodes) }),
)

export const RecoveryCodes = component('RecoveryCodes', Type.Object({ recovery_codes: recoveryCodes }))

const factorName = Type.Optional(
  nullable(Type.String({ maxLength: 100, description: 'What you call it.', examples: ['My phone'] })),
)
const current_password = Type.Optional(currentPassword)

/** A user without a password proves themselves by their session's fresh proof instead. */
export const ProveAccount = component('ProveAccount', Type.Object({ current_password }))
export type ProveAccount = Static<typeof ProveAccount>

export const CreateTotp = component('CreateTotp', Type.Object({ current_password, name: factorName }))
export type CreateTotp = Static<typeof CreateTotp>

export const NewTotp = component(
  'NewTotp',
  Type.Object({
    id: Id,
    secret: Type.String({ description: 'Base 32.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    uri: Type.String({
      examples: ['otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gatehouse'],
    }),
    qr: Type.String({
      description: 'The same as a QR code: an SVG as a data URI.',
      examples: ['data:image/svg+xml;base64,PHN2Zz4='],
    }),
  }),
)
export type NewTotp = Static<typeof NewTotp>

export const VerifyFactor = component(
  'VerifyFactor',
  Type.Object({
    token: Type.String({
      'x-digits': 'six',
      minLength: 1,
      maxLength: 255,
      description: 'The six digits that the app shows.',
      examples: ['042195'],
    }),
  }),
)
export type VerifyFactor = Static<typeof VerifyFactor>

/** An object of the WebAuthn standard, as browsers take and return it. */
const WebAuthnObject = (description: string, example: Record<string, unknown>) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description, examples: [example] })

export const credential = WebAuthnObject('What the browser answered, in its JSON form (WebAuthn level 3).', {
  id: 'AAAA',
  type: 'public-key',
  response: {},
})

export const answerMethod = nullable(
  choice(['totp', 'sms', 'passkey', 'recovery_code'], {
    description:
      'The method of the answer. If it is not sent, the form decides; six digits belong to the preferred method. Ignored with a `credential`.',
    examples: ['totp'],
  }),
)

export const CreatePasskey = component('CreatePasskey', Type.Object({ credential, name: factorName }))
export type CreatePasskey = Static<typeof CreatePasskey>

export const PasskeyCreationOptions = component(
  'PasskeyCreationOptions',
  WebAuthnObject('For `navigator.credentials.create`, in its JSON form.', {
    challenge: 'MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM',
  }),
)
export const PasskeyRequestOptions = WebAuthnObject('For `navigator.credentials.get`, in its JSON form.', {
  challenge: 'MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM',
})
