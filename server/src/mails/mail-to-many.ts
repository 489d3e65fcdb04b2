import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../core/context.ts'
import { serviceNameOf } from '../core/sender.ts'
import { toOneLine } from '../core/text.ts'
import { toTimestamp } from '../core/time.ts'
import type { ReadDb } from '../db/database.ts'
import { readSql } from '../db/dialect.ts'
import type { DeliveryBodyRow, Placeholders } from '../outbox/delivery-bodies.table.ts'
import { placeholderOf } from '../outbox/merge.ts'
import { type MailSource, renderSource } from './templates.ts'

/** A mail to many: it is rendered and kept once, and each recipient's delivery has what differs. */
export interface MailToMany {
  /** What deliveries call it, e.g. `announcements.published`. */
  readonly template: string
  readonly source: MailSource
  /** Escaped in HTML, except where the template says `{{ name | raw }}`. */
  readonly data: Readonly<Record<string, string | number | boolean>>
  /** Names in the templates whose values the recipients bring. A filter cannot change them: they come after it. */
  readonly perRecipient?: readonly string[]
}

export interface MailRecipient {
  readonly userId: number
  readonly email: string
  /** One line each, by the names in `perRecipient`; escaped in HTML. */
  readonly values?: Readonly<Record<string, string>>
  /** Further headers, e.g. `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface MailProgress {
  readonly queued: number
  readonly untried: number
  readonly sent: number
  readonly failed: number
}

/** Renders a mail to many and keeps it; the id of its body. */
export async function prepareMail(tx: Tx, mail: MailToMany): Promise<number> {
  const { template, source, data, perRecipient: names = [] } = mail
  const unfit = names.find((name) => !/^[A-Za-z_]\w*$/.test(name) || Object.hasOwn(data, name) || reserved.has(name))
  if (unfit !== undefined) throw new Error(`The mail ${template} cannot have "${unfit}" from each recipient.`)
  const marker = randomBytes(16).toString('hex')
  const markers = Object.fromEntries(names.map((name, index) => [name, placeholderOf(marker, index)]))
  const rendered = await renderSource(serviceNameOf(tx.config), source, { ...data, ...markers })
  assertWhole(template, marker, names.length, Object.values(rendered).join('\n'))
  const placeholders: Placeholders = { marker, names }
  const { id } = await tx.db
    .insertInto('delivery_bodies')
    .values({ ...rendered, template, placeholders: JSON.stringify(placeholders), created_at: toTimestamp(tx.clock()) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What the layout names. */
const reserved = new Set(['subject', 'service'])

/** A filter that cut or changed a placeholder would leave it in everybody's mail. */
function assertWhole(template: string, marker: string, count: number, text: string): void {
  let rest = text
  for (let index = 0; index < count; index++) rest = rest.replaceAll(placeholderOf(marker, index), '')
  if (rest.toLowerCase().includes(marker.slice(0, 8)))
    throw new Error(`The mail ${template} puts a filter on a value that each recipient brings.`)
}

/** Puts the mail into the outbox for these recipients; it is sent once the transaction is committed, after all other mail. */
export async function sendPrepared(tx: Tx, bodyId: number, recipients: readonly MailRecipient[]): Promise<void> {
  if (recipients.length === 0) return
  const body = await tx.db.selectFrom('delivery_bodies').selectAll().where('id', '=', bodyId).executeTakeFirstOrThrow()
  const { names } = JSON.parse(body.placeholders) as Placeholders
  const slim = recipients.map((recipient) => ({
    userId: recipient.userId,
    recipient: recipient.email,
    headers: recipient.headers === undefined ? null : JSON.stringify(checkHeaders(body, recipient.headers)),
    perRecipient: names.length === 0 ? null : JSON.stringify(pickValues(body, names, recipient)),
  }))
  await tx.outbox.enqueueMany(body, slim)
}

function pickValues(body: DeliveryBodyRow, names: readonly string[], { userId, values = {} }: MailRecipient) {
  const missing = names.find((name) => typeof values[name] !== 'string')
  if (missing !== undefined) throw new Error(`The mail ${body.template} to user ${userId} has no "${missing}".`)
  return Object.fromEntries(names.map((name) => [name, toOneLine(values[name] ?? '').toWellFormed()]))
}

/** Headers that decide who gets the mail, and those that the outbox writes itself. */
const ownHeaders = /^(from|sender|reply-to|to|cc|bcc|subject|date|message-id|mime-version|auto-submitted|content-.*)$/i

function checkHeaders({ template }: DeliveryBodyRow, headers: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w-]+$/.test(name) || ownHeaders.test(name) || /\p{Cc}/u.test(value) || !value.isWellFormed())
      throw new Error(`The mail ${template} cannot have the header ${JSON.stringify(name)} as it is.`)
  }
  return headers
}

/** How far the deliveries of a mail are. */
export async function findMailProgress(db: ReadDb, bodyId: number): Promise<MailProgress> {
  const counted = await readSql(
    db,
    sql<{ status: string; count: number }>`
      select status, count(*) as count from deliveries where body_id = ${bodyId} group by status
      union all
      select 'untried', count(*) from deliveries where body_id = ${bodyId} and status = 'queued' and attempts = 0`,
    'unsure',
  )
  const count = (...statuses: string[]) =>
    counted.reduce((sum, row) => (statuses.includes(row.status) ? sum + Number(row.count) : sum), 0)
  return {
    queued: count('queued', 'sending'),
    untried: count('untried', 'sending'),
    sent: count('sent', 'captured'),
    failed: count('failed'),
  }
}

/** Cancels what no node has claimed yet, including what a dead node left behind. Returns how many. */
export async function cancelMail(tx: Tx, bodyId: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('deliveries')
    .where('body_id', '=', bodyId)
    .where((is) =>
      is.or([
        is('status', '=', 'queued'),
        is.and([is('status', '=', 'sending'), is('due_ms', '<=', tx.clock().getTime())]),
      ]),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
