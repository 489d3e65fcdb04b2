import { hash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Claim, Context } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { assertMayGetCookie } from '../cookies.ts'
import { callerOf, originOf } from '../credentials.ts'
import { giveBackKey, type KeyHolder, noteChange, type StoredAnswer, storeAnswer, takeKey } from './claims.ts'
import { idempotencyKeyOf } from './header.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The Idempotency-Key and its claim; null without one. */
    idempotency: IdempotentRequest | null
  }
}

/** Thrown instead of running a request whose answer is stored; the stored answer is sent. */
export class Replay {
  readonly answer: StoredAnswer
  constructor(answer: StoredAnswer) {
    this.answer = answer
  }
  send(reply: FastifyReply): void {
    const { status, headers, body } = this.answer
    const asItIs = (text: unknown) => String(text)
    reply.status(status).headers(headers).header('idempotent-replayed', 'true').serializer(asItIs).send(body)
  }
}

/** A request with an Idempotency-Key, from its first transaction to its answer. */
export interface IdempotentRequest extends Claim {
  /** Claims the key once the body is known; throws `Replay` if the answer is stored, and 409 and 422. */
  readonly take: (body: unknown) => Promise<void>
  /** Makes the answer from the result of the transaction, so that it is stored in the same transaction. */
  readonly answerWith: (answerOf: (result: unknown) => StoredAnswer) => void
  /** Stores the answer that is sent now, or releases the key. */
  readonly finish: (reply: FastifyReply, payload: unknown) => Promise<void>
}

/** Longer than any handler runs; a file may arrive slowly. */
const leaseMs = 60_000
const fileLeaseMs = 180_000
const maxStoredLength = 4 * 1024 * 1024

/** The headers that belong to the answer, not to the connection or the moment. */
const keptHeaders = ['content-type', 'location', 'set-cookie', 'retry-after', 'content-disposition'] as const

/** Equal for the same fields in another order, and for a multipart form with another boundary. */
function digestOf(url: string, body: unknown): string {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  const bytes = Buffer.isBuffer(body) ? body : (JSON.stringify(body, sorted) ?? '')
  const address = url.replaceAll(/\/{2,}/g, '/').replace(/\/(?=\?|$)/, '')
  return hash('sha256', `${address}\n${hash('sha256', bytes, 'base64url')}`, 'base64url')
}

function holderOf(request: FastifyRequest, key: string): KeyHolder {
  const isAnonymous = request.actor === null
  const caller = isAnonymous ? `network ${callerOf(request)} ${request.routeOptions.url}` : callerOf(request)
  return { callerHash: hashSecret(caller), keyHash: hashSecret(key), claim: randomUUID(), isAnonymous }
}

function answerOf(reply: FastifyReply, body: string): StoredAnswer {
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value] as const]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body }
}

function createIdempotentRequest(ctx: Context, request: FastifyRequest, key: string): IdempotentRequest {
  const holder = holderOf(request, key)
  let isTaken = false
  let inTransaction: ((result: unknown) => StoredAnswer) | undefined
  let stored: string | undefined
  return {
    take: async (body) => {
      const lease = request.routeOptions.config.bodyIs === 'file' ? fileLeaseMs : leaseMs
      const answer = await takeKey(ctx, holder, digestOf(request.url, body), lease)
      if (answer?.headers['set-cookie'] !== undefined) assertMayGetCookie(request, ctx.config)
      if (answer !== undefined) throw new Replay(answer)
      isTaken = true
    },
    answerWith: (make) => {
      inTransaction = make
    },
    settle: async (db, result) => {
      if (!isTaken) return
      const answer = inTransaction?.(result)
      await noteChange(ctx, db, holder, answer)
      stored = answer?.body
    },
    finish: async (reply, payload) => {
      if (!isTaken) return
      // What only waits, for a moment or for a fresh proof, is decided again the next time.
      const isRefusal = reply.statusCode === 429 || String(payload).includes('"code":"reauthentication_required"')
      if (isRefusal || reply.statusCode >= 500) return giveBackKey(ctx, holder, isRefusal)
      const body = payload == null ? '' : payload
      if (typeof body !== 'string' || body.length > maxStoredLength || body === stored) return
      await storeAnswer(ctx, holder, answerOf(reply, body))
    },
  }
}

/**
 * Makes every POST of the scope and its child scopes idempotent: a request that is sent again with its `Idempotency-Key`
 * gets the first answer.
 */
export function honourIdempotencyKeys(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('idempotency', null)
  const begin = async (request: FastifyRequest): Promise<void> => {
    const key = idempotencyKeyOf(request.raw)
    if (key === undefined) return
    const idempotency = createIdempotentRequest(ctx, request, key)
    request.idempotency = idempotency
    if (request.actor !== null) request.actor = { ...request.actor, origin: originOf(request) }
    if (request.routeOptions.config.bodyIs !== 'file') await idempotency.take(request.body)
  }
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preValidation = [route.preValidation ?? []].flat().concat((request, _reply, done) => {
      if (!('idempotency-key' in request.headers)) return done()
      begin(request).then(() => done(), done)
    })
    route.onSend = [route.onSend ?? []].flat().concat((request, reply, payload, done) => {
      if (request.idempotency === null) return done(null, payload)
      request.idempotency
        .finish(reply, payload)
        .catch((err) => ctx.log.warn({ err, reqId: request.id }, 'an answer could not be stored'))
        .then(() => done(null, payload))
    })
  })
}
