import type { Tx } from '../../../core/context.ts'
import { serviceNameOf } from '../../../core/sender.ts'
import type { SmsName } from '../../../mails/mails.ts'
import { renderSms } from '../../../mails/templates.ts'

/** How long a code is valid, and how long sending it is retried. */
const codeMinutes = 5
export const codeLivesMs = codeMinutes * 60_000

export interface CodeSms {
  readonly template: SmsName
  readonly userId: number
  /** In E.164 form. */
  readonly number: string
  readonly code: string
}

/** Writes the SMS with a code into the outbox, in the transaction that creates the code. It says what the code will do. */
export async function sendCode(tx: Tx, { template, userId, number, code }: CodeSms): Promise<void> {
  const text = await renderSms(serviceNameOf(tx.config), template, { code, minutes: codeMinutes })
  await tx.outbox.enqueue({
    kind: 'sms',
    template,
    userId,
    recipient: number,
    subject: null,
    text,
    html: null,
    secret: true,
    retryForMs: codeLivesMs,
  })
}
