import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Outgoing } from '../outbox/message.ts'
import { testMail } from '../testing/messages.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'
import { smtpTransport, verifySmtp } from './smtp.ts'

const from = 'Gatehouse <no-reply@gatehouse.test>'
const message: Outgoing = { ...testMail(), messageId: '<one@gatehouse.test>' }

/** An address of the peer that does not say that it is on this machine. */
const elsewhere = ({ port }: SmtpPeer) => `smtp://0.0.0.0:${port}`

const createTransport = (peer: SmtpPeer, url = peer.url) => smtpTransport({ url, from })

describe('the SMTP server', () => {
  it('has long to accept a whole mail, and not to take it: giving up would send it twice', async () => {
    const peer = await startSmtpPeer()
    const limits = { greetingMs: 8_000, handOverMs: 500, acceptMs: 10_000 }
    const transport = smtpTransport({ url: peer.url, from }, limits)
    onTestFinished(transport.close)
    peer.onMail = () => pause(limits.handOverMs * 2)
    expect(await transport.send(message)).toBe('sent')
    expect(await transport.send(message)).toBe('sent') // on the same connection
    expect(peer.mails).toHaveLength(2)
    peer.behave('silent')
    const other = smtpTransport({ url: peer.url, from }, limits)
    onTestFinished(other.close)
    await expect(other.send(message)).rejects.toThrow('The server did not answer in time.')
  })

  it('goes out over TLS alone, unless the setting says otherwise', async () => {
    const peer = await startSmtpPeer()
    const outgoing = { kind: 'mail', template: 'x', userId: 1, recipient: 'ada@example.com', subject: 'x', html: null }
    const message: Outgoing = { ...outgoing, kind: 'mail', secret: true, text: 'x', messageId: '<a@b>' }
    const strict = smtpTransport({ url: elsewhere(peer), from })
    await expect(strict.send(message)).rejects.toThrow(
      /The server offers no TLS: use smtps:\/\/, or add \?tls=opportunistic/,
    )
    expect(peer.mails).toHaveLength(0)
    const loose = smtpTransport({ url: `${elsewhere(peer)}?tls=opportunistic`, from })
    expect(await loose.send(message)).toBe('sent')
    expect(peer.mails).toHaveLength(1)
    await Promise.all([strict.close(), loose.close()])
  })

  it('is not told to allow plain text where it is allowed already, and the server fails to begin TLS', async () => {
    const server = createServer((socket) => {
      socket.write('220 hello\r\n')
      socket.on('data', (data) => {
        socket.write(/^EHLO/i.test(String(data)) ? '250-hello\r\n250 STARTTLS\r\n' : '454 not now\r\n')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `smtp://0.0.0.0:${(server.address() as AddressInfo).port}`
    await expect(verifySmtp(`${url}?tls=opportunistic`)).rejects.toThrow(/454 not now$/)
    await expect(verifySmtp(url)).rejects.toThrow(/454 not now.*tls=opportunistic/)
  })

  it('is signed in to, and its password is in no error, whatever the server repeats', async () => {
    const password = 'p@ss w0rd/%'
    const seen: unknown[] = []
    const peer = await startSmtpPeer({
      authOptional: false,
      onAuth: ({ username, password: sent }, _session, answer) => {
        seen.push([username, sent])
        const base64 = Buffer.from(`\0${username}\0${sent}`).toString('base64')
        if (username === 'right') answer(null, { user: username })
        else answer(new Error(`no ${username} with ${sent} or ${base64}\r\nhere`))
      },
    })
    const url = (user: string) =>
      `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${peer.port}?tls=opportunistic`
    const right = createTransport(peer, url('right'))
    await expect(right.send(message)).resolves.toBe('sent')
    const wrong = createTransport(peer, url('wrong'))
    const error = await wrong.send(message).catch((reason: Error) => reason)
    expect(seen).toEqual([
      ['right', password],
      ['wrong', password],
    ])
    expect((error as Error).message).toContain('no wrong with … or …')
    expect((error as Error).message).not.toContain('p@ss')
    await Promise.all([right.close(), wrong.close()])
  })

  // asvs: 12.3.2
  it('is spoken to over TLS where it offers that; a certificate that does not fit is refused', async () => {
    const peer = await startSmtpPeer({ disabledCommands: [] })
    const strict = createTransport(peer, elsewhere(peer))
    await expect(strict.send(message)).rejects.toThrow(/certificate/)
    const lenient = createTransport(peer, `${elsewhere(peer)}?tls.rejectUnauthorized=false`)
    await expect(lenient.send(message)).resolves.toBe('sent')
    expect(peer.mails).toHaveLength(1)
    expect(peer.mails[0]?.raw).toContain('Message-ID: <one@gatehouse.test>')
    await Promise.all([strict.close(), lenient.close()])
  })

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST'])(
    'on this machine needs neither TLS nor a certificate that others vouch for: smtp://%s',
    async (host) => {
      for (const options of [{}, { disabledCommands: [] }]) {
        const peer = await startSmtpPeer(options)
        const transport = createTransport(peer, `smtp://${host}:${peer.port}`)
        await expect(transport.send(message)).resolves.toBe('sent')
        expect(peer.mails).toHaveLength(1)
        await transport.close()
      }
    },
  )

  it('gets no mail without TLS under ?requireTLS=true, on this machine neither', async () => {
    const peer = await startSmtpPeer()
    const transport = createTransport(peer, `smtp://127.0.0.1:${peer.port}?requireTLS=true`)
    await expect(transport.send(message)).rejects.toThrow(/TLS/)
    expect(peer.mails).toHaveLength(0)
    await transport.close()
  })
})
