import type { Log } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { sortKey } from '../core/text.ts'
import { type Clock, dayMs, toTimestamp } from '../core/time.ts'
import type { Db, RootDb } from '../db/database.ts'
import { createBodies } from './bodies.ts'
import { type DeliveryKind, deliveryKinds } from './deliveries.table.ts'
import { dueOf } from './held.ts'
import type { BulkMail, Message, Transport } from './message.ts'
import { insertBulk } from './outbox.queries.ts'
import { createSender } from './sender.ts'

/** How long a message is retried by default, in milliseconds. */
export const retryForMs = 2 * dayMs
/** How long a stop waits for messages being sent; unfinished ones are sent again by this or another node. */
const drainMs = 10_000

/** Writes messages in the transaction of what causes them; they are sent once that is committed. */
export interface OutboxWriter {
  /** Returns the id of the delivery. */
  readonly enqueue: (message: Message) => Promise<number>
  /** The same for one of many messages each: they are sent after all others. */
  readonly enqueueAll: (messages: readonly Message[]) => Promise<void>
  /** The same for a mail to many, whose body is kept apart. */
  readonly enqueueMany: (body: { id: number; template: string }, mails: readonly BulkMail[]) => Promise<void>
  readonly hasWritten: () => boolean
}

export interface Outbox {
  /** Writes messages in a transaction. */
  readonly writerFor: (db: Db) => OutboxWriter
  /** Sends what is due, and whatever comes, until `stop`. */
  readonly start: () => void
  /** Sends everything that is due now, and returns when it has been tried. */
  readonly deliverDue: () => Promise<void>
  /** Looks at once for messages that are due. */
  readonly wake: () => void
  /** Waits for what is being sent, and sends no more. */
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly db: RootDb
  readonly clock: Clock
  readonly log: Log
  readonly sealer: Sealer
  readonly transports: Readonly<Record<DeliveryKind, Transport>>
  readonly newMessageId: () => string
}

/**
 * Mail and SMS are rows, written in the transaction of what caused them, and sent by a worker in the process: at least once,
 * with a stable Message-ID, ever more rarely while a server refuses them, and never in the way of a request.
 */
export function createOutbox({ db, clock, log, sealer, transports, newMessageId }: Parts): Outbox {
  const bodies = createBodies(db)
  const senders = deliveryKinds.map((kind) =>
    createSender(kind, { db, clock, log, sealer, bodies, transport: transports[kind] }),
  )
  let isStarted = false

  /** A message that is due now. */
  function toRow(message: Message) {
    const now = clock()
    const messageId = newMessageId()
    const stored = (text: string) => (message.secret ? sealer.seal(text, messageId) : text)
    return {
      kind: message.kind,
      template: message.template,
      status: 'queued',
      user_id: message.userId,
      recipient: message.recipient,
      recipient_key: sortKey(message.recipient),
      subject: message.subject,
      body_text: stored(message.text),
      body_html: message.html === null ? null : stored(message.html),
      secret: message.secret ? 1 : 0,
      headers: message.headers === undefined ? null : JSON.stringify(message.headers),
      message_id: messageId,
      attempts: 0,
      last_error: null,
      due_ms: now.getTime(),
      give_up_ms: now.getTime() + (message.retryForMs ?? retryForMs),
      created_at: toTimestamp(now),
      updated_at: toTimestamp(now),
      sent_at: null,
    } as const
  }

  function writerFor(db: Db): OutboxWriter {
    let hasWritten = false
    return {
      hasWritten: () => hasWritten,
      enqueue: async (message) => {
        hasWritten = true
        const { id } = await db
          .insertInto('deliveries')
          .values(toRow(message))
          .returning('id')
          .executeTakeFirstOrThrow()
        return id
      },
      enqueueAll: async (messages) => {
        if (messages.length === 0) return
        hasWritten = true
        const rows = messages.map((message) => ({ ...toRow(message), bulk: 1 }))
        await db.insertInto('deliveries').values(rows).execute()
      },
      enqueueMany: async (body, mails) => {
        const now = clock()
        hasWritten = true
        const rows = mails.map((mail) => ({
          ...mail,
          recipientKey: sortKey(mail.recipient),
          messageId: newMessageId(),
        }))
        const dueMs = await dueOf(db, body.id, now.getTime())
        const times = { dueMs, giveUpMs: now.getTime() + retryForMs, createdAt: toTimestamp(now) }
        await insertBulk(db, body, times, rows)
      },
    }
  }

  const wake = () => {
    if (isStarted) for (const sender of senders) sender.look()
  }

  return {
    writerFor,
    start: () => {
      isStarted = true
      for (const sender of senders) sender.start()
    },
    deliverDue: async () => {
      await Promise.all(senders.map((sender) => sender.drain()))
    },
    wake,
    stop: async () => {
      isStarted = false
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, drainMs)
      await Promise.race([Promise.all(senders.map((sender) => sender.stop())), patience.promise])
      clearTimeout(timer)
      await Promise.all(Object.values(transports).map((transport) => transport.close()))
    },
  }
}
