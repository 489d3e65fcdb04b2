import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { S3Config } from '../../config.ts'
import { errors } from '../../core/errors.ts'
import { isAvatarFile } from './avatar-url.ts'
import type { Storage } from './storage.ts'

const timeoutMs = 15_000
/** The library repeats requests that a busy store refused (5xx), after a short pause. */
const retries = 2

/** Stores pictures as objects of a bucket, in any store with the interface of Amazon S3. They are only ever read through Gatehouse. */
export function s3Storage({ endpoint, accessKeyId, secretAccessKey, region }: S3Config): Storage {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries })

  async function request(method: 'GET' | 'HEAD' | 'PUT' | 'DELETE', name: string, bytes?: Buffer): Promise<Response> {
    if (!isAvatarFile(name)) throw new Error('not the name of an avatar')
    const signal = AbortSignal.timeout(timeoutMs)
    const body = bytes === undefined ? {} : { body: new Uint8Array(bytes), headers: { 'content-type': 'image/webp' } }
    const answer = await client.fetch(`${endpoint}/${name}`, { method, signal, redirect: 'error', ...body })
    if (answer.ok || (answer.status === 404 && method !== 'PUT')) return answer
    await answer.body?.cancel()
    throw new Error(`the storage at ${new URL(endpoint).host} answered ${method} with ${answer.status}`)
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
        const bytes = Number(found.headers.get('content-length'))
        return { stream: Readable.fromWeb(found.body as ReadableStream), bytes }
      }
      await found.body?.cancel()
      return undefined
    },
    remove: async (name) => {
      const removed = await request('DELETE', name)
      await removed.body?.cancel()
    },
    removeUnfinished: async () => {}, // an object is there as a whole or not at all
  }
}
