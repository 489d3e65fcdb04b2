import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { systemActor } from '../core/context.ts'
import { toTimestamp } from '../core/time.ts'
import { createToken } from '../features/tokens/tokens.service.ts'
import { insertFactor } from '../features/two-factor/factors.queries.ts'
import { sumUp } from '../features/two-factor/factors.service.ts'
import { userHandleOf, verifyNewPasskey } from '../features/two-factor/methods/passkeys.ts'
import { getLockedUser } from '../features/users/users.service.ts'
import type { TestApp } from './app.ts'

/*
 * An authenticator in software: it makes keys, counts, and answers as WebAuthn says (CBOR, COSE, ES256). A test can make it
 * lie about each thing that a server has to check.
 */

/** CBOR (RFC 8949) of what WebAuthn needs: integers, texts, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, inner]) => [cbor(key), cbor(inner)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** What the authenticator, or a page that uses it, can get wrong. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isVerified?: boolean
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly signature?: Buffer
  readonly userHandle?: string | null
}

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

const flags = (isVerified: boolean, hasKey: boolean): number => 0x01 | (isVerified ? 0x04 : 0) | (hasKey ? 0x40 : 0)

export class Authenticator {
  readonly id = randomBytes(32)
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #userHandle: string | undefined
  counter = 0

  constructor(origin = 'http://gatehouse.test') {
    this.#origin = origin
  }

  /** A copy that has the same key and counts for itself. */
  clone(): Authenticator {
    const copy = new Authenticator(this.#origin)
    Object.assign(copy, { id: this.id, counter: this.counter })
    copy.#userHandle = this.#userHandle
    Object.assign(copy.#keys, this.#keys)
    return copy
  }

  #authenticatorData(rpId: string, flagBits: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flagBits]), counter, more])
  }

  #clientData(type: string, challenge: string, { origin = this.#origin, crossOrigin = false }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  /** `navigator.credentials.create` in JSON. */
  create(options: Options, lies: Lies = {}): Record<string, unknown> {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    this.#userHandle = options.user?.id
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cbor(key)])
    const rpId = lies.rpId ?? options.rp?.id ?? ''
    const authData = this.#authenticatorData(rpId, flags(lies.isVerified ?? true, true), attested)
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const clientData = this.#clientData(lies.type ?? 'webauthn.create', lies.challenge ?? options.challenge, lies)
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestation),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** `navigator.credentials.get` in JSON. */
  get(options: Options, lies: Lies = {}): Record<string, unknown> {
    this.counter++
    const authData = this.#authenticatorData(lies.rpId ?? options.rpId ?? '', flags(lies.isVerified ?? true, false))
    const clientData = this.#clientData(lies.type ?? 'webauthn.get', lies.challenge ?? options.challenge, lies)
    const signature =
      lies.signature ?? sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey)
    const userHandle = lies.userHandle === undefined ? this.#userHandle : lies.userHandle
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        ...(userHandle == null ? {} : { userHandle }),
      },
    }
  }
}

const rpIdOf = (t: TestApp): string => new URL(t.ctx.config.publicUrl).hostname

/** What a browser would send to finish the enrolment of a passkey, without having asked for the options. */
export async function newCredential(t: TestApp, userId: number): Promise<Record<string, unknown>> {
  const challenge = await t.ctx.transaction(systemActor, (tx) =>
    createToken(tx, { purpose: 'passkey_enrolment', userId, livesMs: 300_000 }),
  )
  return new Authenticator(t.ctx.config.publicUrl).create({ challenge, rp: { id: rpIdOf(t) } })
}

/** A passkey straight into the database. */
export async function addPasskey(
  t: TestApp,
  userId: number,
  authenticator = new Authenticator(t.ctx.config.publicUrl),
): Promise<{ id: number; authenticator: Authenticator }> {
  const challenge = base64url(randomBytes(32))
  const user = { id: userHandleOf(t.ctx, userId) }
  const credential = authenticator.create({ challenge, rp: { id: rpIdOf(t) }, user })
  const passkey = await verifyNewPasskey(t.ctx, userId, challenge, credential)
  if (passkey === undefined) throw new Error('the passkey was refused')
  const id = await t.ctx.transaction(systemActor, async (tx) => {
    const factor = await insertFactor(tx.db, {
      user_id: userId,
      type: 'passkey',
      name: '',
      verified: 1,
      secret: passkey.secret,
      credential_id: passkey.credentialId,
      counter: passkey.counter,
      created_at: toTimestamp(tx.clock()),
    })
    await sumUp(tx, await getLockedUser(tx.db, userId))
    return factor.id
  })
  return { id, authenticator }
}
