import { hash } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../core/context.ts'
import { serviceNameOf } from '../../../core/sender.ts'
import { toTimestamp } from '../../../core/time.ts'
import type { UserRow } from '../../accounts/users.table.ts'
import type { FactorRow } from '../factors.table.ts'

/*
 * Passkeys (WebAuthn level 3): discoverable, with user verification, for the host of the public URL. The package is loaded
 * when the first one is used, so that the start does not wait for it.
 */

const webAuthn = () => import('@simplewebauthn/server')

type Settings = Pick<Config, 'publicUrl'>
const rpIdOf = ({ publicUrl }: Settings): string => new URL(publicUrl).hostname
const originOf = ({ publicUrl }: Settings): string => new URL(publicUrl).origin

/** The secret of a factor's row, JSON. */
interface StoredPasskey {
  /** The COSE key, base64url. */
  readonly publicKey: string
  readonly transports: readonly string[]
  readonly userHandle: string
}

const storedOf = ({ secret }: FactorRow): StoredPasskey => JSON.parse(secret ?? '{}') as StoredPasskey

/** How long a person has to answer, milliseconds. */
export const timeoutMs = 300_000

/** An opaque id of the account for authenticators (WebAuthn §14.6.1): the same for all of its passkeys. */
export const userHandleOf = ({ sealer }: Pick<Context, 'sealer'>, userId: number): string =>
  hash('sha256', `passkey user ${userId} ${sealer.fingerprint}`, 'base64url')

/** The challenge that an authenticator signs, derived from a token that only the caller has. */
export const challengeOf = (token: string): string => hash('sha256', `passkey ${token}`, 'base64url')

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

const descriptorsOf = (passkeys: readonly FactorRow[]) =>
  passkeys.map((row) => ({ id: row.credential_id ?? '', transports: [...storedOf(row).transports] }))

/** The options of `navigator.credentials.create`, in their JSON form. */
export async function creationOptions(ctx: Context, user: UserRow, passkeys: readonly FactorRow[], token: string) {
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: serviceNameOf(ctx.config),
    rpID: rpIdOf(ctx.config),
    userID: bytesOf(userHandleOf(ctx, user.id)),
    userName: user.username ?? user.email,
    userDisplayName: [user.first_name, user.last_name].filter((name) => name !== null).join(' ') || user.email,
    challenge: bytesOf(token),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(passkeys),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: [-8, -7, -257],
  })
}

/** The options of `navigator.credentials.get`. Without `passkeys` the authenticator offers those that it has. */
export async function requestOptions({ config }: Context, token: string, passkeys: readonly FactorRow[] = []) {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: rpIdOf(config),
    challenge: bytesOf(challengeOf(token)),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: descriptorsOf(passkeys),
  })
}

const isText = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]{1,60000}$/.test(value)

/** The fields of a credential's JSON form that are read; undefined if it is not a credential. */
function readCredential(credential: unknown, fields: readonly string[]) {
  const { id, type, response } = (credential ?? {}) as { id?: unknown; type?: unknown; response?: unknown }
  if (typeof response !== 'object' || response === null || !isText(id) || id.length > 1400 || type !== 'public-key')
    return undefined
  const given = response as Record<string, unknown>
  if (!fields.every((field) => isText(given[field]))) return undefined
  const texts = Object.fromEntries(fields.map((field) => [field, given[field] as string]))
  return { id, rawId: id, type, clientExtensionResults: {}, given, texts } as const
}

/** What the browser signed, of that what is read here. */
function clientDataIn(text: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) ?? {}
  } catch {
    return {}
  }
}

/** True if a page asked that is in a frame of another site: ours are in none (WebAuthn level 3, §7). */
const isFramed = (clientData: string): boolean => clientDataIn(clientData).crossOrigin === true

export interface NewPasskey {
  readonly credentialId: string
  readonly counter: number
  readonly secret: string
}

/** The token that the new passkey answers, taken out of it: the options were the token itself. */
export function enrolmentTokenIn(credential: unknown): string | undefined {
  const read = readCredential(credential, ['clientDataJSON'])
  const challenge = read && clientDataIn(read.texts.clientDataJSON ?? '').challenge
  return typeof challenge === 'string' ? challenge : undefined
}

/** Checks a new passkey against its token; undefined if it is not right. */
export async function verifyNewPasskey(
  ctx: Context,
  userId: number,
  token: string,
  credential: unknown,
): Promise<NewPasskey | undefined> {
  const read = readCredential(credential, ['clientDataJSON', 'attestationObject'])
  if (read === undefined) return undefined
  const { verifyRegistrationResponse } = await webAuthn()
  const { id, rawId, type, clientExtensionResults, texts, given } = read
  const { clientDataJSON = '', attestationObject = '' } = texts
  if (isFramed(clientDataJSON)) return undefined
  const response: RegistrationResponseJSON = {
    id,
    rawId,
    type,
    clientExtensionResults,
    response: { clientDataJSON, attestationObject },
  }
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: token,
    expectedOrigin: originOf(ctx.config),
    expectedRPID: rpIdOf(ctx.config),
    requireUserVerification: true,
    supportedAlgorithmIDs: [-8, -7, -257],
  }).catch((): VerifiedRegistrationResponse => ({ verified: false }))
  if (!verified.verified) return undefined
  const { publicKey, counter } = verified.registrationInfo.credential
  const stored: StoredPasskey = {
    publicKey: Buffer.from(publicKey).toString('base64url'),
    transports: transportsIn(given.transports),
    userHandle: userHandleOf(ctx, userId),
  }
  return { credentialId: id, counter, secret: JSON.stringify(stored) }
}

const knownTransports: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const transportsIn = (given: unknown): string[] =>
  Array.isArray(given) ? knownTransports.filter((transport) => given.includes(transport)) : []

/** The id of a passkey that somebody signs in with. */
export const credentialIdIn = (credential: unknown): string | undefined => readCredential(credential, [])?.id

/**
 * Checks an answer of a known passkey to a challenge, and counts its signature; false if it is not right, or a clone's.
 * Where nobody was named before, the answer has to name the account (WebAuthn §7.2, step 6).
 */
export async function usePasskey(
  ctx: Context,
  factor: FactorRow,
  challenge: string,
  credential: unknown,
  { isNamed }: { readonly isNamed: boolean },
): Promise<boolean> {
  const read = readCredential(credential, ['clientDataJSON', 'authenticatorData', 'signature'])
  if (read === undefined || factor.credential_id !== read.id || factor.verified !== 1) return false
  const { publicKey, transports, userHandle } = storedOf(factor)
  const { id, rawId, type, clientExtensionResults, texts, given } = read
  const namesNobody = given.userHandle == null || given.userHandle === ''
  if (namesNobody ? !isNamed : given.userHandle !== userHandle) return false
  const { clientDataJSON = '', authenticatorData = '', signature = '' } = texts
  if (isFramed(clientDataJSON)) return false
  const response: AuthenticationResponseJSON = {
    id,
    rawId,
    type,
    clientExtensionResults,
    response: { clientDataJSON, authenticatorData, signature },
  }
  const { verifyAuthenticationResponse } = await webAuthn()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: originOf(ctx.config),
    expectedRPID: rpIdOf(ctx.config),
    requireUserVerification: true,
    credential: {
      id,
      publicKey: bytesOf(publicKey),
      counter: factor.counter,
      transports: [...transports] as AuthenticatorTransport[],
    },
  }).catch(() => undefined)
  if (verified?.verified !== true) return false
  return noteSignature(ctx, factor, verified.authenticationInfo.newCounter)
}

/** Of a passkey and its clone, which signed at the same time, only one is believed. Many passkeys do not count: theirs stays 0. */
async function noteSignature(ctx: Context, { id, counter }: FactorRow, now: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.unguarded
    .updateTable('factors')
    .set({ counter: now, last_used_at: toTimestamp(ctx.clock()) })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
