import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  readonly parsed: ParsedMail
  /** As it came over the wire. */
  readonly raw: string
  /** The recipients of the envelope. */
  readonly to: readonly string[]
}

export interface SmtpPeer {
  readonly port: number
  /** `smtp://127.0.0.1:…` */
  readonly url: string
  /** Every mail that came in whole, whatever was answered. */
  readonly mails: ReceivedMail[]
  /** How many connections there were. */
  readonly connections: () => number
  /** `silent`: connections are accepted and nothing is ever said on them; text: every mail is refused with it. */
  readonly behave: (how: 'accept' | 'silent' | { refuse: string | ((mail: ReceivedMail) => string) }) => void
  /** Called with a mail before it is answered. */
  onMail: (mail: ReceivedMail) => unknown
  readonly close: () => Promise<void>
}

/** A real SMTP server, without TLS unless said otherwise. Ends with the test. */
export async function startSmtpPeer(options: SMTPServerOptions = {}): Promise<SmtpPeer> {
  let how: Parameters<SmtpPeer['behave']>[0] = 'accept'
  let connections = 0
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, answer) => {
      connections++
      if (how !== 'silent') answer()
    },
    onData: async (stream, session, answer) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch {
        return // whoever sent it was killed meanwhile
      }
      const raw = Buffer.concat(chunks).toString('utf8')
      const mail = { raw, parsed: await simpleParser(raw), to: session.envelope.rcptTo.map(({ address }) => address) }
      if (how === 'silent') return
      if (how !== 'accept') {
        const words = typeof how.refuse === 'string' ? how.refuse : how.refuse(mail)
        return answer(Object.assign(new Error(words), { responseCode: 451 }))
      }
      mails.push(mail)
      await peer.onMail(mail)
      answer()
    },
    ...options,
  })
  server.on('error', () => {}) // a client that was killed
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const peer: SmtpPeer = {
    port,
    url: `smtp://127.0.0.1:${port}?tls=opportunistic`,
    mails,
    connections: () => connections,
    onMail: () => {},
    close,
    behave: (next) => {
      how = next
    },
  }
  onTestFinished(close)
  return peer
}
