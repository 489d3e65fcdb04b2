import { toOneLine } from '../core/text.ts'
import type { ReadDb } from '../db/database.ts'
import type { DeliveryRow } from './deliveries.table.ts'
import type { DeliveryBodyRow, Placeholders } from './delivery-bodies.table.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

/** The placeholder of the value with this index. */
export const placeholderOf = (marker: string, index: number): string => `${marker}x${index}x`

interface Texts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail to many as one recipient gets it: their values as they are in text, escaped in HTML. */
function mergeBody(body: DeliveryBodyRow, perRecipient: string | null): Texts {
  const { marker, names } = JSON.parse(body.placeholders) as Placeholders
  if (names.length === 0) return { subject: body.subject, text: body.text, html: body.html }
  const values = JSON.parse(perRecipient ?? '{}') as Record<string, string>
  const places = new RegExp(`${marker}x(\\d+)x`, 'g')
  // In one pass: what a value holds is never read again.
  const put = (text: string, show: (value: string) => string) =>
    text.replace(places, (_, index) => show(values[names[Number(index)] ?? ''] ?? ''))
  return {
    subject: toOneLine(put(body.subject, (value) => value)),
    text: put(body.text, (value) => value),
    html: put(body.html, escapeHtml),
  }
}

/** Bodies by their ids. */
export async function findBodies(db: ReadDb, ids: readonly number[]): Promise<Map<number, DeliveryBodyRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('delivery_bodies').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A delivery with the subject and the texts that its recipient gets, wherever they are kept. */
export function mergeInto(row: DeliveryRow, bodies: ReadonlyMap<number, DeliveryBodyRow>): DeliveryRow {
  const body = row.body_id === null ? undefined : bodies.get(row.body_id)
  if (body === undefined) return row
  const { subject, text, html } = mergeBody(body, row.per_recipient)
  return { ...row, subject, body_text: text, body_html: html }
}

/** The same for many, read at once. */
export async function mergeAll(db: ReadDb, rows: readonly DeliveryRow[]): Promise<DeliveryRow[]> {
  const ids = new Set(rows.flatMap(({ body_id }) => (body_id === null ? [] : [body_id])))
  const bodies = await findBodies(db, [...ids])
  return rows.map((row) => mergeInto(row, bodies))
}
