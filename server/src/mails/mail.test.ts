import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { systemActor } from '../core/context.ts'
import type { Outgoing } from '../outbox/message.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { messagesTo, messageTo, testMail } from '../testing/messages.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'
import { smtpTransport } from '../transports/smtp.ts'
import { type MailName, type MailValues, mails } from './mails.ts'
import { sendMail } from './send-mail.ts'

const names = Object.keys(mails) as MailName[]
const { link } = mails['reset-password'].sample
const { at } = mails.test.sample

async function startWithPeer(): Promise<{ t: TestApp; peer: SmtpPeer }> {
  const peer = await startSmtpPeer()
  const t = await createTestApp(inject('postgresUrl'), {
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_MAIL_FROM: 'Gatehouse, Inc <no-reply@gatehouse.test>',
  })
  return { t, peer }
}

const send = <N extends MailName>(t: TestApp, template: N, data: MailValues<N>) =>
  t.ctx.transaction(systemActor, (tx) => sendMail(tx, { template, to: 'ada@example.com', userId: null, data }))

/** Straight to a transport, past the checks that stand before it. */
const outgoing = (more: Partial<Outgoing> = {}): Outgoing => ({
  ...testMail(),
  messageId: '<one@gatehouse.test>',
  ...more,
})

function createTransport({ url }: SmtpPeer) {
  return smtpTransport({ url, from: 'Gatehouse <no-reply@gatehouse.test>' })
}

describe('every mail', () => {
  it('is in the documentation', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/mail-and-sms.md'), 'utf8')
    const rows = guide.split('\n## The mails\n')[1]?.match(/^\| `.+? \|/gm) ?? []
    const described = rows.flatMap((row) => row.match(/(?<=`)[a-z-]+(?=`)/g) ?? [])
    expect(described.toSorted()).toEqual(names.toSorted())
  })

  // asvs: 14.2.3
  it('arrives as plain text and HTML that fetches nothing, from the configured sender, to one recipient', async () => {
    const { t, peer } = await startWithPeer()
    for (const name of names) await send(t, name, mails[name].sample)
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(names.length)
    const ids = peer.mails.map(({ parsed }) => parsed.messageId)
    expect(new Set(ids).size).toBe(names.length)
    for (const { parsed, to } of peer.mails) {
      const html = String(parsed.html)
      expect(to).toEqual(['ada@example.com'])
      expect(parsed.to).toMatchObject({ value: [{ address: 'ada@example.com' }] })
      expect(parsed.from?.value).toEqual([{ address: 'no-reply@gatehouse.test', name: 'Gatehouse, Inc' }])
      expect(parsed.headers.get('auto-submitted')).toBe('auto-generated')
      expect(parsed.messageId).toMatch(/^<[0-9a-f-]{36}@gatehouse\.test>$/)
      expect(parsed.subject).toMatch(/^[A-Z][\w\s-]+$/)
      expect(parsed.text).toContain('sent automatically by Gatehouse, Inc')
      expect(html).toMatch(/<meta name="viewport"[\s\S]*prefers-color-scheme: dark[\s\S]*<h1>/)
      expect(html).not.toMatch(/\ssrc=|url\(|@import|<link|<table/)
      expect(parsed.text).not.toMatch(/[<>]|\{\{|undefined/)
      expect(html).not.toMatch(/\{\{|\{%|undefined/)
    }
  })

  it('that has a link shows it as a button and as text, and tells what to do if it was not you', async () => {
    const { t, peer } = await startWithPeer()
    for (const name of names) await send(t, name, mails[name].sample)
    await t.ctx.outbox.deliverDue()
    const others = [
      'A test mail',
      'Many sign-ins are failing',
      'Many text messages today',
      'A webhook was switched off',
    ]
    for (const { parsed } of peer.mails) {
      // These are not about the recipient's account.
      if (others.includes(parsed.subject ?? '')) continue
      expect(parsed.text).toMatch(/If (it was not you|you did not ask)/)
      expect(parsed.html).toMatch(/If (it was not you|you did not ask)/)
      const hasLink = /^(Confirm|Reset|You are invited)/.test(parsed.subject ?? '')
      const escaped = link.replace('&', '&amp;')
      expect(parsed.text?.includes(link)).toBe(hasLink)
      expect(String(parsed.html).split(`href="${escaped}"`)).toHaveLength(hasLink ? 3 : 1)
      expect(String(parsed.html).includes(`>${escaped}</a>`)).toBe(hasLink)
    }
  })
})

// asvs: 1.1.2, 1.2.1, 1.3.7
describe('user text in mail is escaped, no header injection', () => {
  const names = [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "{{ 'x' | upcase }}{% assign a = 1 %}",
    'Ada\r\nBcc: eve@example.com\r\n\r\nHello from Eve',
    'Ada\u2028Subject: x\u202e',
  ]
  it.each(names)('%j', async (name) => {
    const { t, peer } = await startWithPeer()
    await send(t, 'email-changed', { ...mails['email-changed'].sample, name, newEmail: name })
    await t.ctx.outbox.deliverDue()
    const [mail] = peer.mails
    const html = String(mail?.parsed.html)
    expect(peer.mails).toHaveLength(1)
    expect(mail?.to).toEqual(['ada@example.com'])
    expect([...(mail?.parsed.headers.keys() ?? [])]).not.toContain('bcc')
    expect(mail?.parsed.subject).toBe('Your email address was changed')
    expect(html).not.toMatch(/<img|<script|\u202e/)
    expect(mail?.parsed.text).not.toMatch(/^(Bcc|Subject):|^Hello from Eve/m)
    if (name.startsWith('<img')) expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    if (name.startsWith('{{')) expect(mail?.parsed.text).toContain('{% assign a = 1 %}')
  })

  // asvs: 1.3.11
  it('a subject, a header or a recipient with line ends adds no header and no recipient', async () => {
    const peer = await startSmtpPeer()
    const transport = createTransport(peer)
    const headers = { 'X-News': 'one\r\nBcc: eve@example.com', 'X-Bad\r\nBcc': 'eve@example.com' }
    await transport.send(outgoing({ subject: 'Hello\r\nBcc: eve@example.com\n\nbody', headers }))
    const [mail] = peer.mails
    expect(mail?.parsed.subject).toBe('Hello Bcc: eve@example.com body')
    expect(mail?.parsed.headers.has('bcc')).toBe(false)
    expect(mail?.to).toEqual(['ada@example.com'])
    for (const recipient of ['ada@example.com, eve@example.com', 'ada@example.com\r\nRCPT TO:<eve@example.com>']) {
      await expect(transport.send(outgoing({ recipient }))).rejects.toThrow('not one plain email address')
    }
    expect(peer.mails.flatMap(({ to }) => to)).toEqual(['ada@example.com'])
    await transport.close()
  })

  it('a name is no place for a link or a message of somebody else: it is cut, and mail programs find no address in it', async () => {
    const { t, peer } = await startWithPeer()
    await send(t, 'reset-password', {
      name: `Win at https://evil.example/now www.evil.example ${'x'.repeat(500)}`,
      link,
      minutes: 60,
    })
    await t.ctx.outbox.deliverDue()
    const text = peer.mails[0]?.parsed.text ?? ''
    expect(text).not.toMatch(/evil\.example|https:\/\/evil|x{60}/)
    expect(text.match(/https?:\/\/\S+/g)).toEqual([link])
  })
})

describe('the SMTP server', () => {
  it('is given the same Message-ID at every try', async () => {
    const { t, peer } = await startWithPeer()
    await send(t, 'test', { at })
    const [{ message_id } = { message_id: '' }] = await t.ctx.unguarded
      .selectFrom('deliveries')
      .select('message_id')
      .execute()
    let refused = ''
    peer.behave({ refuse: 'not now' })
    await t.ctx.outbox.deliverDue()
    refused = (await messageTo(t, 'ada@example.com', 'test')).message_id
    peer.behave('accept')
    t.clock.advance({ seconds: 5 })
    await t.ctx.outbox.deliverDue()
    expect(peer.mails.map(({ parsed }) => parsed.messageId)).toEqual([message_id])
    expect(refused).toBe(message_id)
  })

  it('that refuses is named with its reason, without the link that it repeats', async () => {
    const { t, peer } = await startWithPeer()
    peer.behave({ refuse: `content rejected: ${link}` })
    await send(t, 'reset-password', { name: 'Ada', link, minutes: 60 })
    const [row] = await messagesTo(t, 'ada@example.com')
    expect(row).toMatchObject({ status: 'queued', attempts: 1 })
    expect(row?.last_error).toContain('content rejected')
    expect(row?.last_error).not.toContain('abcdefghij')
  })
})

describe('a mail that is captured', () => {
  it('stays readable, with the link in one log line', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    await send(t, 'reset-password', { name: 'Ada', link, minutes: 60 })
    const row = await messageTo(t, 'ada@example.com', 'reset-password')
    expect(row.status).toBe('captured')
    expect(row.body_text).toContain(link)
  })
})
