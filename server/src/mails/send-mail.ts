import type { Tx } from '../core/context.ts'
import { serviceNameOf } from '../core/sender.ts'
import { type MailName, type MailValues, mails } from './mails.ts'
import { renderMail } from './templates.ts'

export interface Mail<N extends MailName> {
  readonly template: N
  readonly to: string
  readonly userId: number | null
  readonly data: MailValues<N>
}

/** Writes a mail into the outbox, in the transaction of what caused it; returns the id of its delivery. */
export async function sendMail<N extends MailName>(tx: Tx, mail: Mail<N>): Promise<number> {
  const { subject, text, html } = await renderMail(serviceNameOf(tx.config), mail.template, mail.data)
  return tx.outbox.enqueue({
    kind: 'mail',
    template: mail.template,
    userId: mail.userId,
    recipient: mail.to,
    subject,
    text,
    html,
    secret: mails[mail.template].isSecret,
  })
}
