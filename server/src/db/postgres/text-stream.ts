import type pg from 'pg'
import { loadRenderer, Pieces, type RendererSource } from '../text-stream.ts'
import { atOnceMs, type Timeouts, withTimeout } from './timeouts.ts'

const rowsAtOnce = 300

/**
 * The text of all rows of a query, read with a cursor from one snapshot. It holds a connection until its reader is done, so no
 * timeout of statements or idle transactions applies: the caller has to limit its reader.
 */
export async function* streamText(
  connect: () => Promise<pg.PoolClient>,
  timeouts: Timeouts,
  sql: string,
  parameters: readonly unknown[],
  renderer: RendererSource,
): AsyncGenerator<Uint8Array> {
  const render = await loadRenderer(renderer)
  const pieces = new Pieces()
  const client = await connect()
  let isWhole = false
  try {
    await client.query(withTimeout({ text: 'begin isolation level repeatable read read only' }, atOnceMs(timeouts)))
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query(`declare download no scroll cursor for ${sql}`, [...parameters])
    const fetchMore = () => {
      const fetched = client.query<Record<string, unknown>>(`fetch ${rowsAtOnce} from download`)
      fetched.catch(() => {}) // thrown where it is waited for, if the reader goes on
      return fetched
    }
    for (let next = fetchMore(); ; ) {
      const { rows } = await next
      const isLast = rows.length < rowsAtOnce
      if (!isLast) next = fetchMore() // arrives while these are sent
      for (const row of rows) {
        const full = pieces.add(render(row))
        if (full !== undefined) yield full
      }
      if (isLast) break
    }
    const last = pieces.take()
    if (last.length > 0) yield last
    await client.query('commit')
    isWhole = true
  } finally {
    client.release(!isWhole)
  }
}
