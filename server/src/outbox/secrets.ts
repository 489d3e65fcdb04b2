import type { Sealer } from '../core/sealing.ts'
import type { DeliveryRow } from './deliveries.table.ts'

/**
 * The message with its texts as they are sent. A link or code waits encrypted in the database: whoever reads a backup cannot
 * use it. What cannot be opened, since it was written with another key, has no text any more.
 */
export function openSecrets(sealer: Sealer, row: DeliveryRow): DeliveryRow {
  if (row.secret !== 1) return row
  const open = (text: string | null) => (text === null ? null : sealer.open(text, row.message_id))
  try {
    return { ...row, body_text: open(row.body_text), body_html: open(row.body_html) }
  } catch {
    return { ...row, body_text: null, body_html: null }
  }
}
