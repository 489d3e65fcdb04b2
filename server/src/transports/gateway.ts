import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { readOrMakeSecretFile } from '../core/secret-file.ts'
import type { Outgoing, Transport } from '../outbox/message.ts'
import { redact } from '../outbox/redact.ts'
import { post } from './http-post.ts'

interface Gateway {
  readonly url: string
  /** The URL's password; null if the secret is the one in `dataDir`. */
  readonly secret: string | null
  readonly dataDir: string
}

export const secretFile = (dataDir: string): string => join(dataDir, 'sms-gateway-secret')

function createSigner({ secret: given, dataDir }: Gateway): { webhook: Webhook; secret: string } {
  const make = () => `whsec_${randomBytes(32).toString('base64')}`
  const secret = given ?? readOrMakeSecretFile(secretFile(dataDir), make)
  try {
    // A password that is not a Standard Webhooks secret is the key itself.
    return { secret, webhook: new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' }) }
  } catch {
    throw new Error('The secret of the SMS gateway is not whsec_ followed by base64.')
  }
}

/**
 * Hands SMS to the operator's own gateway: a JSON POST `{to, text, id}`, signed as Standard Webhooks says
 * (https://www.standardwebhooks.com). `id` is the same at every try, so that the gateway can leave out duplicates.
 */
export function gatewayTransport(gateway: Gateway): Transport {
  let signer: ReturnType<typeof createSigner> | undefined

  async function send({ recipient, text, messageId }: Outgoing): Promise<'sent'> {
    signer ??= createSigner(gateway)
    const { webhook, secret } = signer
    const id = messageId.replaceAll(/^<|@.*$/g, '')
    const body = JSON.stringify({ to: recipient, text, id })
    const now = new Date() // the gateway's own clock judges it, so it is never a test's
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, now, body),
    }
    try {
      await post(gateway.url, headers, body)
      return 'sent'
    } catch (error) {
      throw new Error(redact((error as Error).message, [secret]))
    }
  }
  return { send, close: async () => {} }
}
