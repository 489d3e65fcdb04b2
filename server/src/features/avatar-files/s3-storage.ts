import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Config } from '../../config.ts'
import { errors } from '../../core/errors.ts'
import { toOneLine } from '../../core/text.ts'
import { isAvatarFile } from './avatar-url.ts'
import type { Storage } from './storage.ts'
import { StorageError } from './storage-error.ts'

const giveUpAfterMs = 15_000
/** Requests that a busy store refused (5xx) are repeated so many times. */
const retries = 2
const betweenTriesMs = 100

/** Code and message of an error of S3, for example that it expects another region. Its other elements repeat the request. */
function reasonIn(xml: string): string {
  const parts = ['Code', 'Message'].flatMap((name) => new RegExp(`<${name}>([^<]{1,200})`).exec(xml)?.[1] ?? [])
  return parts.length === 0 ? '' : `: ${toOneLine(parts.join(': '))}`
}

/** Stores pictures as objects of a bucket, in any store with the interface of Amazon S3. They are only ever read through Gatehouse. */
export function s3Storage({ endpoint, ...credentials }: S3Config, timeoutMs = giveUpAfterMs): Storage {
  const { host } = new URL(endpoint)
  const client = new AwsClient({ ...credentials, service: 's3' })

  /**
   * Only signs with the library: the signal of the Request that it would pass to `fetch` is lost with that object, when memory is
   * collected, and a silent store would be waited for.
   */
  async function send(address: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const { headers } = await client.sign(address, init)
      const answer = await fetch(address, { ...init, headers, signal })
      if (answer.status < 500 || tries === retries) return answer
      await answer.body?.cancel()
      await setTimeout(betweenTriesMs * 2 ** tries, undefined, { signal })
    }
  }

  async function request(method: 'GET' | 'HEAD' | 'PUT' | 'DELETE', name: string, bytes?: Buffer): Promise<Response> {
    if (!isAvatarFile(name)) throw new Error('not the name of an avatar')
    const signal = AbortSignal.timeout(timeoutMs)
    const body = bytes === undefined ? {} : { body: new Uint8Array(bytes), headers: { 'content-type': 'image/webp' } }
    const answer = await send(`${endpoint}/${name}`, { method, redirect: 'manual', ...body }, signal).catch((cause) => {
      throw new StorageError(`the storage at ${host} cannot be reached`, { cause })
    })
    const isMissing = answer.status === 404 && method !== 'PUT'
    // Without the permission to list a bucket, Amazon answers 403 instead of 404. What else is wrong, no answer to HEAD can say.
    const isUnknown = isMissing || (answer.status < 500 && method === 'HEAD')
    if (answer.ok || (isUnknown && method !== 'GET')) return answer
    // A missing picture and a missing bucket have the same status.
    const said = await answer.text()
    const hasNoBucket = said.includes('<Code>NoSuchBucket</Code>')
    if (isMissing && !hasNoBucket) return answer
    const what = hasNoBucket ? 'has no such bucket' : `answered ${method} with ${answer.status}${reasonIn(said)}`
    throw new StorageError(`the storage at ${host} ${what}`)
  }

  async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (cause) {
      throw new StorageError(`the storage at ${host} broke off`, { cause })
    }
  }

  return {
    put: async (name, bytes) => {
      const there = await request('HEAD', name)
      if (there.ok && Number(there.headers.get('content-length')) === bytes.length) return
      const stored = await request('PUT', name, bytes)
      await stored.body?.cancel()
    },
    get: async (name) => {
      const found = await request('GET', name).catch((cause) => {
        throw Object.assign(errors.unavailable(), { cause })
      })
      if (found.ok && found.body !== null) {
        const stream = Readable.from(piecesOf(found.body), { objectMode: false })
        const length = found.headers.get('content-length')
        // Of a compressed body it is not the length of the decoded stream.
        const isKnown = length !== null && !found.headers.has('content-encoding')
        return isKnown ? { stream, bytes: Number(length) } : { stream }
      }
      return undefined
    },
    remove: async (name) => {
      const removed = await request('DELETE', name)
      await removed.body?.cancel()
    },
    removeUnfinished: async () => {}, // an object is stored as a whole or not at all
  }
}
