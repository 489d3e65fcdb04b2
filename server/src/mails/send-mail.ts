import type { Tx } from '../core/context.ts'
import { serviceNameOf } from '../core/sender.ts'
import { createYielder } from '../core/yielder.ts'
import type { Message } from '../outbox/message.ts'
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
  return tx.outbox.enqueue(await toMessage(tx, mail))
}

/** The same for many at once, a hundred or so. They are sent after all other mail. */
export async function sendMails<N extends MailName>(tx: Tx, wanted: readonly Mail<N>[]): Promise<void> {
  const yieldNow = createYielder()
  const messages: Message[] = []
  for (const mail of wanted) {
    messages.push(await toMessage(tx, mail))
    await yieldNow()
  }
  await tx.outbox.enqueueAll(messages)
}

async function toMessage<N extends MailName>({ config }: Tx, mail: Mail<N>): Promise<Message> {
  const { linkLivesMs } = mails[mail.template]
  const { subject, text, html } = await renderMail(serviceNameOf(config), mail.template, mail.data)
  return {
    kind: 'mail',
    template: mail.template,
    userId: mail.userId,
    recipient: mail.to,
    subject,
    text,
    html,
    secret: linkLivesMs !== null,
    ...(linkLivesMs === null ? {} : { retryForMs: linkLivesMs }),
  }
}
