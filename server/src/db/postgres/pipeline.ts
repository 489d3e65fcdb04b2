import type pg from 'pg'
import { type Hosts, isOutdated } from './hosts.ts'
import { atOnceMs } from './timeouts.ts'

export interface Pipeline {
  readonly query: (query: pg.QueryConfig) => Promise<pg.QueryResult>
  readonly end: () => Promise<void>
}

/**
 * One connection on which many quick reads are under way at once: it takes what one turn of the event loop asks for with one
 * write, where a pool would wake as many connections. A slow one would keep those behind it waiting.
 * Quick reads take a millisecond: where an answer takes as long as `atOnceMs`, the connection is given up.
 * It is opened when first needed, and again after it broke; what was under way then fails.
 */
export function createPipeline(config: pg.ClientConfig, hosts: Hosts): Pipeline {
  let opened: Promise<pg.Client> | undefined
  let ended = false

  function open(): Promise<pg.Client> {
    const patience = { query_timeout: atOnceMs(hosts.timeouts) }
    const client = new hosts.Client({ ...config, ...patience, pipeline: true } as pg.ClientConfig)
    const opening = client.connect().then(() => client)
    const forget = () => {
      if (opened === opening) opened = undefined
    }
    client.on('error', forget).on('end', forget)
    opening.catch(() => {
      forget()
      client.end().catch(() => {}) // one that came too late is not left open
    })
    return opening
  }

  function giveUp(client: pg.Client): void {
    opened = undefined
    client.end().catch(() => {})
  }

  const holding = new Set<pg.Client>()
  function sendTogether(client: pg.Client): void {
    if (holding.has(client)) return
    const { stream } = client.connection as unknown as { stream: { cork: () => void; uncork: () => void } }
    holding.add(client)
    stream.cork()
    setImmediate(() => {
      holding.delete(client)
      stream.uncork()
    })
  }

  return {
    query: async (query) => {
      for (;;) {
        if (ended) throw new Error('Connection terminated')
        opened ??= open()
        const asked = opened
        const client = await asked
        if (opened !== asked && opened !== undefined) continue // another read replaced it while this one waited
        if (isOutdated(hosts, client)) {
          giveUp(client)
          continue
        }
        sendTogether(client)
        return client.query(query).catch((error) => {
          // Errors from the server have a severity. Any other error means that the connection is broken.
          if (error.severity === undefined && opened === asked) giveUp(client)
          throw error
        })
      }
    },
    end: async () => {
      ended = true
      await (await opened?.catch(() => undefined))?.end()
    },
  }
}
