import type { DeliveryRow } from '../outbox/deliveries.table.ts'
import type { Message } from '../outbox/message.ts'
import { openSecrets } from '../outbox/secrets.ts'
import type { TestApp } from './app.ts'

/** A mail for the outbox. */
export const testMail = (more: Partial<Message> = {}): Message => ({
  kind: 'mail',
  template: 'test',
  userId: null,
  recipient: 'ada@example.com',
  subject: 'Hello',
  text: 'Hello',
  html: null,
  secret: false,
  ...more,
})

/** Every message to a recipient, oldest first, after what is due has been handed to its transport. */
export async function messagesTo(t: TestApp, recipient: string): Promise<DeliveryRow[]> {
  await t.ctx.outbox.deliverDue()
  const rows = await t.ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute()
  return rows.map((row) => openSecrets(t.ctx.sealer, row))
}

/** The newest message of a template to a recipient; throws where there is none. */
export async function messageTo(t: TestApp, recipient: string, template: string): Promise<DeliveryRow> {
  const found = (await messagesTo(t, recipient)).filter((message) => message.template === template).at(-1)
  if (found === undefined) throw new Error(`no ${template} for ${recipient}`)
  return found
}

/** The token in the fragment of the link that a captured mail holds. */
export const tokenIn = (message: DeliveryRow): string =>
  /[#&]token=([A-Za-z0-9_-]+)/.exec(message.body_text ?? '')?.[1] ?? ''

/** The code of six digits that a captured SMS holds. */
export const codeIn = (message: DeliveryRow): string => /\b\d{6}\b/.exec(message.body_text ?? '')?.[0] ?? ''
