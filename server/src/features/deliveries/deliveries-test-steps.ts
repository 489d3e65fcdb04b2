import type { Insertable } from 'kysely'
import type { DeliveriesTable } from '../../outbox/deliveries.table.ts'
import type { TestApp } from '../../testing/app.ts'

export type DeliveryFields = Partial<Omit<Insertable<DeliveriesTable>, 'id'>>

let made = 0

/** A message in whatever state; its id. */
export async function addDelivery(t: TestApp, fields: DeliveryFields = {}): Promise<number> {
  const now = t.clock.now().getTime()
  const recipient = fields.recipient ?? `somebody${++made}@example.com`
  const { id } = await t.ctx.unguarded
    .insertInto('deliveries')
    .values({
      kind: 'mail',
      template: 'test',
      status: 'sent',
      user_id: null,
      subject: 'Hello',
      recipient,
      recipient_key: recipient.toLowerCase(),
      body_text: 'Hello',
      body_html: '<p>Hello</p>',
      headers: null,
      secret: 0,
      message_id: `<${recipient}>`,
      attempts: 1,
      last_error: null,
      due_ms: now,
      give_up_ms: now + 60_000,
      sent_at: null,
      created_at: '2026-01-15 12:00:00',
      updated_at: '2026-01-15 12:00:00',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
