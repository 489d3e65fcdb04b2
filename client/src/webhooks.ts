import type { components } from './generated/api.ts'

/** An event as webhooks and the feed give it. */
export type GatehouseEvent = components['schemas']['Event']

/** A message that was not sent by the holder of the secret, or is too old to be believed. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** For how long a message is believed after it was signed, and how far clocks may differ (Standard Webhooks 1.0), in seconds. */
const toleranceSeconds = 5 * 60

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The request of a webhook where there is no Fetch `Request`, such as in `node:http` and Express. */
export interface ReceivedWebhook {
  /** `request.headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as it came, before anything parsed it: `await text(request)` of `node:stream/consumers`. */
  readonly body: string | Uint8Array
}

/** Also those of another library, which are no instance of the platform's. */
const isHeaders = (headers: ReceivedWebhook['headers']): headers is Headers => typeof headers.get === 'function'

function headerOf({ headers }: Request | ReceivedWebhook, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
  return values.length === 1 ? values[0] : undefined
}

async function bodyOf(request: Request | ReceivedWebhook): Promise<string> {
  if ('text' in request) return request.text()
  const { body } = request
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  throw new TypeError('The body is not the text or the bytes that came: something has parsed it before.')
}

/**
 * Verifies a webhook's request and returns its event. It reads the body of the request, so call it first; nothing may have
 * parsed and rewritten the body.
 *
 * @param request the request as the Fetch API has it, or its headers and its body
 * @param secret `whsec_…`, as the answer showed it that created or rotated the webhook
 * @throws {WebhookVerificationError} where no signature is right, or the timestamp is more than five minutes off
 * @throws {TypeError} where the secret is missing or no secret of a webhook, or the body was read or parsed before: no fault of the request
 * @see https://www.standardwebhooks.com
 */
export async function verifyWebhook(request: Request | ReceivedWebhook, secret: string): Promise<GatehouseEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(request, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A header of the webhook is missing.')
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('The timestamp is too far from now.')
  const keyBytes = secret ? fromBase64(secret.replace(/^whsec_/, '')) : undefined // it may come from an environment without it
  if (!keyBytes?.length) throw new TypeError('The secret is not whsec_ followed by base64.')
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const body = await bodyOf(request)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',')
    const bytes = version === 'v1' ? fromBase64(text) : undefined
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
      return JSON.parse(body) as GatehouseEvent
  }
  throw new WebhookVerificationError('No signature is right.')
}
