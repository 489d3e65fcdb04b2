import type { SmsConfig } from '../config.ts'
import type { Outgoing, Transport } from '../outbox/message.ts'
import { redact } from '../outbox/redact.ts'
import { post, RefusedError } from './http-post.ts'

/** Twilio's answer to a message that it rejects. Source: https://www.twilio.com/docs/usage/twilios-response */
function reasonOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return (error as Error).message
  try {
    const { message, code } = JSON.parse(error.answer) as { message?: unknown; code?: unknown }
    if (typeof message === 'string') return `Twilio answered ${error.status}: ${message} (code ${code ?? 'none'})`
  } catch {
    // not Twilio's own answer; its status says enough
  }
  return `Twilio answered ${error.status}.`
}

/** Hands SMS to Twilio's REST API, or to a server that has its shape. */
export function twilioTransport({
  accountSid,
  authToken,
  from,
  api,
}: Extract<SmsConfig, { kind: 'twilio' }>): Transport {
  const url = `${api}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  const headers = {
    authorization: `Basic ${credentials}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }

  async function send({ recipient, text }: Outgoing): Promise<'sent'> {
    try {
      await post(url, headers, new URLSearchParams({ To: recipient, From: from, Body: text }).toString())
      return 'sent'
    } catch (error) {
      throw new Error(redact(reasonOf(error), [credentials, authToken]))
    }
  }
  return { send, close: async () => {} }
}
