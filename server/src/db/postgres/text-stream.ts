import type pg from 'pg'
import { loadRenderer, type RendererSource } from '../text-stream.ts'
import { atOnceMs, type Timeouts, withTimeout } from './timeouts.ts'

const rowsAtOnce = 300

/**
 * The text of all rows of a query, read with a cursor from one snapshot. It holds a connection until its reader is done, so no
 * timeout of statements or idle transactions applies: who reads has to be limited by the caller.
 */
export async function* streamText(
  connect: () => Promise<pg.PoolClient>,
  timeouts: Timeouts,
  sql: string,
  parameters: readonly unknown[],
  renderer: RendererSource,
): AsyncGenerator<string> {
  const render = await loadRenderer(renderer)
  const client = await connect()
  let isWhole = false
  try {
    await client.query(withTimeout({ text: 'begin isolation level repeatable read read only' }, atOnceMs(timeouts)))
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query(`declare download no scroll cursor for ${sql}`, [...parameters])
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsAtOnce} from download`)
      if (rows.length > 0) yield rows.map(render).join('')
      if (rows.length < rowsAtOnce) break
    }
    await client.query('commit')
    isWhole = true
  } finally {
    client.release(!isWhole)
  }
}
