import type { Tx } from '../../../core/context.ts'
import { serviceNameOf } from '../../../core/sender.ts'

/** How long a code is valid, and how long sending it is retried. */
export const codeMinutes = 5
export const codeLivesMs = codeMinutes * 60_000

const purposes = {
  'two-factor-enrolment': (service: string) => `turns on two-factor sign-in at ${service}`,
  'two-factor-login': (service: string) => `signs you in at ${service}`,
}

export interface CodeSms {
  readonly template: keyof typeof purposes
  readonly userId: number
  /** In E.164 form. */
  readonly number: string
  readonly code: string
}

/** Writes the SMS with a code into the outbox, in the transaction that creates the code. It says what the code will do. */
export async function sendCode(tx: Tx, { template, userId, number, code }: CodeSms): Promise<void> {
  const does = purposes[template](serviceNameOf(tx.config))
  const text = `${code} ${does}. It is good for ${codeMinutes} minutes. Never share it: support will never ask for it.`
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
