import type { Tx } from '../core/context.ts'
import { serviceNameOf } from '../core/sender.ts'
import { type MailTemplates, renderMail } from './templates.ts'

export interface Mail<T extends keyof MailTemplates> {
  readonly template: T
  readonly to: string
  readonly userId: number | null
  readonly data: MailTemplates[T]
}

/** Templates whose body holds a token. */
const secrets = new Set<keyof MailTemplates>(['confirm-email', 'reset-password'])

/** Writes a mail into the outbox, in the transaction of what caused it. */
export async function sendMail<T extends keyof MailTemplates>(tx: Tx, mail: Mail<T>): Promise<void> {
  const { subject, text, html } = await renderMail(serviceNameOf(tx.config), mail.template, mail.data)
  await tx.outbox.enqueue({
    kind: 'mail',
    template: mail.template,
    userId: mail.userId,
    recipient: mail.to,
    subject,
    text,
    html,
    secret: secrets.has(mail.template),
  })
}
