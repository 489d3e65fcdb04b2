import { type ClientRequest, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { systemActor } from '../../core/context.ts'
import type { TestApp } from '../../testing/app.ts'
import { recordActivity } from '../activity/activity.service.ts'

export interface Stream {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  /** Everything received so far. */
  readonly text: () => string
  readonly isOver: () => boolean
  readonly request: ClientRequest
}

/** Listens like a browser. */
export async function listen({ app }: TestApp, key: string, headers: Record<string, string> = {}): Promise<Stream> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: '/api/me/stream',
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    })
    onTestFinished(() => {
      request.destroy()
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      let over = false
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('close', () => {
        over = true
      })
      response.on('error', () => {})
      const { statusCode = 0, headers: got } = response
      resolve({ status: statusCode, headers: got, text: () => text, isOver: () => over, request })
    })
  })
}

export const recordMany = ({ ctx }: TestApp, events: number): Promise<void> =>
  ctx.transaction(systemActor, async (tx) => {
    for (let count = 0; count < events; count++)
      await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id: 1 })
  })

export const eventsOf = (text: string) =>
  [...text.matchAll(/^id: (\d+)\nevent: (\S+)\ndata: (.*)$/gm)].map(([, id, event, data]) => ({
    id: Number(id),
    event,
    data: JSON.parse(data as string),
  }))
export const namesIn = (stream: Stream): string[] => eventsOf(stream.text()).map(({ event }) => event as string)
export const until = (stream: Stream, event: string) => expect.poll(() => stream.text()).toContain(`event: ${event}\n`)
