import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dayMs } from '../core/time.ts'
import { createCertificate } from '../testing/certificates.ts'
import { testMail } from '../testing/messages.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'
import { smtpTransport, verifySmtp } from './smtp.ts'

const message = { ...testMail(), messageId: '<one@gatehouse.test>' }

const from = 'Gatehouse <no-reply@gatehouse.test>'
const limits = { greetingMs: 500, handOverMs: 5_000, acceptMs: 5_000 }

/** Why neither the check of the server nor a mail gets through; both say the same, on one line. */
async function failureAt(options: SMTPServerOptions, urlOf: (port: number) => string): Promise<string> {
  const peer = await startSmtpPeer(options)
  const url = urlOf(peer.port)
  const transport = smtpTransport({ url, from }, limits)
  onTestFinished(transport.close)
  const wordsOf = (error: Error) => error.message
  const said = await verifySmtp(url, limits).then(() => 'nothing', wordsOf)
  expect(await transport.send(message).catch(wordsOf)).toBe(said)
  expect(peer.mails).toHaveLength(0)
  expect(said).not.toMatch(/\n|hunter2|SSL routines|Node\.js/)
  return said
}

/** An address of this machine that does not say so: a server there has to prove who it is. */
const elsewhere = (scheme: string) => (port: number) => `${scheme}://ada:hunter2@0.0.0.0:${port}`

// asvs: 12.3.2
describe('TLS that fails is explained, with the setting that mends it', () => {
  /** A server with a certificate for this address, from an authority that is trusted until the test ends. */
  async function serve(address: string, notAfter?: Date): Promise<SMTPServerOptions> {
    const { certificate, key } = await createCertificate([], [address], notAfter)
    const before = getCACertificates('default')
    setDefaultCACertificates([certificate])
    onTestFinished(() => setDefaultCACertificates(before))
    return { cert: certificate, key, disabledCommands: [] }
  }

  it.each(['smtp', 'smtps'])('a certificate of another name: %s', async (scheme) => {
    const said = await failureAt({ ...(await serve('192.0.2.9')), secure: scheme === 'smtps' }, elsewhere(scheme))
    expect(said).toMatch(/another name \(.*192\.0\.2\.9[^.]*\)\. Write .*GATEHOUSE_MAIL_URL/)
  })

  it.each(['smtp', 'smtps'])('a certificate that nobody vouches for: %s', async (scheme) => {
    const { certificate: cert, key } = await createCertificate([], ['0.0.0.0'])
    const said = await failureAt({ cert, key, disabledCommands: [], secure: scheme === 'smtps' }, elsewhere(scheme))
    expect(said).toMatch(/authority.*\(self-signed certificate\).*NODE_EXTRA_CA_CERTS/)
  })

  it('a certificate that has expired', async () => {
    const options = await serve('0.0.0.0', new Date(Date.now() - dayMs))
    expect(await failureAt({ ...options, secure: true }, elsewhere('smtps'))).toMatch(/expired.*clock/)
  })

  it('a port that does not begin with TLS', async () => {
    const said = await failureAt({ disabledCommands: [] }, elsewhere('smtps'))
    expect(said).toMatch(/does not begin with TLS.*smtp:\/\/.*GATEHOUSE_MAIL_URL/)
  })

  it('a port that begins with TLS', async () => {
    const said = await failureAt({ ...(await serve('0.0.0.0')), secure: true }, elsewhere('smtp'))
    expect(said).toMatch(/does not greet.*smtps:\/\/.*GATEHOUSE_MAIL_URL/)
  })

  it('a server that knows nothing newer than TLS 1.1', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0', secure: true } as const
    expect(await failureAt({ ...(await serve('0.0.0.0')), ...old }, elsewhere('smtps'))).toMatch(/TLS 1\.2/)
  })
})

describe('a user and a password for a server that offers no sign-in', () => {
  const withoutSignIn = { disabledCommands: ['AUTH', 'STARTTLS'] }

  it('are refused, not ignored, and not sent', async () => {
    const said = await failureAt(withoutSignIn, (port) => `smtp://ada:hunter2@0.0.0.0:${port}?tls=opportunistic`)
    expect(said).toMatch(/offers no sign-in.*GATEHOUSE_MAIL_URL/)
  })

  it('are left alone by one on this machine', async () => {
    const peer = await startSmtpPeer(withoutSignIn)
    const transport = smtpTransport({ url: `smtp://ada:hunter2@127.0.0.1:${peer.port}`, from })
    expect(await transport.send(message)).toBe('sent')
    await transport.close()
  })

  it('are used in each way that it offers', async () => {
    for (const method of ['PLAIN', 'LOGIN', 'CRAM-MD5']) {
      const seen: unknown[] = []
      const peer = await startSmtpPeer({
        authMethods: [method],
        authOptional: false,
        onAuth: ({ method: used, username, password, validatePassword }, _session, answer) => {
          seen.push(used)
          const isRight = used === 'CRAM-MD5' ? validatePassword?.('hunter2') : password === 'hunter2'
          answer(null, isRight ? { user: username } : undefined)
        },
      })
      const transport = smtpTransport({ url: `smtp://ada:hunter2@127.0.0.1:${peer.port}`, from })
      expect(await transport.send(message)).toBe('sent')
      await transport.close()
      expect(seen).toEqual([method])
    }
  })
})
