import { isLoopback } from '../config.ts'
import { deliverableAddress } from '../core/email-address.ts'
import { isEmail } from '../core/formats.ts'
import { parseSender } from '../core/sender.ts'
import { toOneLine } from '../core/text.ts'
import { withTimeLimit } from '../core/time-limit.ts'
import {
  type Outgoing,
  RecipientRefusedError,
  RecipientUnknownError,
  ServerBusyError,
  type Transport,
} from '../outbox/message.ts'
import { redact } from '../outbox/redact.ts'
import { isAboutRecipient, isAboutUnknownRecipient, isBusy, reasonOf, type SmtpError } from './smtp-errors.ts'
import { signInPlain } from './smtp-sign-in.ts'

/** Time limits. */
const defaultLimits = {
  /** For connecting: name look-up, every address tried, TLS and the greeting. */
  greetingMs: 8_000,
  /** Until the whole mail is handed over, even with a server that answers a byte at a time. */
  handOverMs: 30_000,
  /**
   * For the server's answer to the whole mail (RFC 5321, 4.5.3.2.6). Some servers examine a mail for minutes before they
   * accept it. Giving up earlier would send it again with every retry.
   */
  acceptMs: 600_000,
}
/** How long a connection is kept for the next mail. Firewalls forget one that is quiet for minutes, and tell nobody. */
const idleMs = 20_000

interface Server {
  /** `smtp://user:password@host:587` (with STARTTLS; also without on this machine or with `?tls=opportunistic`) or `smtps://…` (TLS from the start). */
  readonly url: string
  /** `Gatehouse <no-reply@example.com>` or a bare address. */
  readonly from: string
}

/** Decodes percent-encoding; a stray `%` is kept as it is. */
function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The password in every form in which SMTP sends it: no error message may contain one. */
function secretsOf(url: string): string[] {
  const { username, password } = new URL(url)
  if (password === '') return []
  const [user = '', pass = ''] = [username, password].map(decodeLoosely)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [base64(`\0${user}\0${pass}`), base64(pass), pass, password]
}

type Pool = Awaited<ReturnType<typeof openPool>>

/**
 * One connection, which is opened when it is needed. nodemailer takes 25 MB: it is loaded with the first mail, and not at all
 * where mail is captured.
 */
async function openPool(
  address: string,
  greetingMs: number,
  socketTimeout: number,
  onHandedOver: (messageId?: string) => void = () => {},
) {
  const { createTransport } = await import('nodemailer')
  const url = new URL(address)
  // Nobody is on the path to a server on this machine; it often has no TLS, or a certificate that it made itself, and no users.
  const isLocal = isLoopback(url.hostname)
  const isOpportunistic = isLocal || url.searchParams.get('tls') === 'opportunistic'
  url.searchParams.delete('tls')
  const pool = createTransport({
    pool: true,
    url: url.href,
    // Without it, an attacker on the path could strip STARTTLS from the greeting and read every reset link.
    requireTLS: url.protocol === 'smtp:' && !isOpportunistic,
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
    // Otherwise a user and a password would be ignored by a server that offers no sign-in.
    forceAuth: url.username !== '' && !isLocal,
    customAuth: { PLAIN: signInPlain },
    maxConnections: 1,
    maxMessages: 100,
    maxRequeues: 1, // enough for a kept connection that the server has closed meanwhile; the outbox does the rest
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    dnsTimeout: greetingMs,
    socketTimeout,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    debug: false,
  })
  pool.use('stream', ({ data, message }, done) => {
    message.processFunc((mail) => mail.once('end', () => onHandedOver(data.messageId)))
    done()
  })
  return pool
}

function kindOf(failure: SmtpError): new (message: string) => Error {
  if (isBusy(failure)) return ServerBusyError
  if (isAboutUnknownRecipient(failure)) return RecipientUnknownError
  return isAboutRecipient(failure) ? RecipientRefusedError : Error
}

/** Connects and signs in, and sends nothing; throws with a reason without secrets. */
export async function verifySmtp(url: string, limits = defaultLimits): Promise<void> {
  const pool = await openPool(url, limits.greetingMs, limits.handOverMs)
  try {
    await pool.verify()
  } catch (error) {
    throw new Error(redact(reasonOf(error as SmtpError, url), secretsOf(url)))
  } finally {
    pool.close()
  }
}

/** Hands mail to an SMTP server over a few connections that are kept open. */
export function smtpTransport({ url, from }: Server, limits = defaultLimits): Transport {
  const secrets = secretsOf(url)
  const sender = parseSender(from)
  /** By Message-ID: what to do once a mail is handed over. */
  const waiting = new Map<string, () => void>()
  const pools = new Set<Pool>()
  /** The one that was used last is used first, so that the others grow idle and are closed. */
  const unused: Pool[] = []

  async function openOne(): Promise<Pool> {
    const pool = await openPool(url, limits.greetingMs, limits.acceptMs, (messageId = '') => waiting.get(messageId)?.())
    pools.add(pool)
    return pool
  }

  function drop(pool: Pool): void {
    pool.close()
    pools.delete(pool)
  }

  async function send(message: Outgoing): Promise<'sent'> {
    // One mail, one recipient, whatever made its way into the outbox (CVE-2023-7028).
    if (!isEmail(message.recipient)) throw new Error('The recipient is not one plain email address.')
    const pool = unused.pop() ?? (await openOne())
    return withTimeLimit(limits.handOverMs, async (signal, restart): Promise<'sent'> => {
      waiting.set(message.messageId, () => restart(limits.acceptMs))
      try {
        await pool.sendMail({
          from: sender,
          // Objects, not text, from which nodemailer makes the envelope, too: text it would split at commas.
          to: { name: '', address: deliverableAddress(message.recipient) },
          subject: toOneLine(message.subject ?? ''),
          text: message.text,
          messageId: message.messageId,
          ...(message.html === null ? {} : { html: message.html }),
          headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
          signal,
        })
        unused.push(pool)
        return 'sent'
      } catch (error) {
        const failure = error as SmtpError
        // A connection that the server refuses is not kept: others are more likely to work.
        if (isBusy(failure)) drop(pool)
        else unused.push(pool)
        if (signal.aborted) throw new Error('The server did not answer in time.')
        throw new (kindOf(failure))(redact(reasonOf(failure, url), secrets))
      } finally {
        waiting.delete(message.messageId)
      }
    })
  }

  return {
    send,
    close: async () => {
      for (const pool of pools) pool.close({ force: true })
    },
  }
}
