import { expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../server/src/testing/app.ts'
import { startSmtpPeer } from '../../../server/src/testing/smtp-peer.ts'
import { announce, sendAll } from './testing/notifying.ts'

/** The path of the link in the header of a user's mail. */
async function linkOf(t: TestApp, email: string): Promise<string> {
  const { headers } = await t.ctx.unguarded
    .selectFrom('deliveries')
    .select('headers')
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const link = /^<http:\/\/gatehouse\.test\/api(\/announcements\/unsubscribe\/[\w.-]+)>$/.exec(
    JSON.parse(headers as string)['List-Unsubscribe'],
  )?.[1]
  expect(link).toBeDefined()
  return link as string
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const oneClick = { key: null, body: 'List-Unsubscribe=One-Click', headers: form }
const countMails = async (t: TestApp, email: string) =>
  (await t.ctx.unguarded.selectFrom('deliveries').select('id').where('recipient', '=', email).execute()).length

it('a mail says in its header and in its text how to unsubscribe', async () => {
  const peer = await startSmtpPeer()
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  await announce(t)
  await sendAll(t)
  const { raw, parsed } = peer.mails[0] as (typeof peer.mails)[number]
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n\s+/g, ' ')
  const link = /^List-Unsubscribe: <(http:\/\/gatehouse\.test\/api\/announcements\/unsubscribe\/1\.[\w-]{43})>$/m.exec(
    head,
  )?.[1]
  expect(link).toBeDefined()
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  expect(parsed.text).toContain(link)
  expect(parsed.html).toContain(`href="${link}"`)
})

it('one click unsubscribes without a credential, and takes effect', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user, key } = await t.createUser({ email: 'ada.lovelace@mail.example.com' })
  await announce(t)
  await sendAll(t)
  const link = await linkOf(t, user.email)

  const asked = await t.call(`GET ${link}`, { key: null })
  expect(asked.status).toBe(200)
  expect(asked.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(asked.headers['content-security-policy']).toContain("default-src 'none'")
  expect(asked.text).toContain('a•••@m•••.com')
  expect(asked.text).toContain('<form method="post">')
  expect(asked.text).not.toContain('lovelace')
  expect((await t.call(`HEAD ${link}`, { key: null })).status).toBe(200)
  expect((await t.call('GET /announcements/subscription', { key })).body.data).toEqual({ subscribed: true })

  const done = await t.call(`POST ${link}`, oneClick)
  expect({ status: done.status, cookie: done.headers['set-cookie'] }).toEqual({ status: 200, cookie: undefined })
  expect(done.text).toContain('You are unsubscribed')
  const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
  const again = { key: null, body: multipart, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  expect((await t.call(`POST ${link}`, again)).status).toBe(200)
  expect((await t.call(`GET ${link}`, { key: null })).text).toContain('You are unsubscribed')
  expect((await t.call('GET /announcements/subscription', { key })).body.data).toEqual({ subscribed: false })

  await announce(t)
  await sendAll(t)
  expect([await countMails(t, user.email), await countMails(t, 'admin@example.com')]).toEqual([1, 2])

  const back = await t.call('PUT /announcements/subscription', { key, body: { subscribed: true } })
  expect({ status: back.status, body: back.body }).toEqual({ status: 200, body: { data: { subscribed: true } } })
  await announce(t)
  await sendAll(t)
  expect(await countMails(t, user.email)).toBe(2)
  const { body } = await t.call(`GET /activity?sort=id&filter[subject_type]=user&filter[subject_id]=${user.id}`)
  expect(body.data.map(({ event, actor_id }: Record<string, unknown>) => [event, actor_id])).toEqual([
    ['announcement.unsubscribed', null],
    ['announcement.subscribed', user.id],
  ])
})

it('an invalid link is 404, and so is one of a deleted account', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user, key } = await t.createUser()
  await announce(t)
  await sendAll(t)
  const link = await linkOf(t, user.email)
  const signature = link.split('.').at(-1) as string
  const forged = [
    ...[`1.${signature}`, `0${user.id}.${signature}`, `${user.id}.${'A'.repeat(43)}`, `${user.id}.`, String(user.id)],
    ...[`${user.id}.${signature}x`, `${user.id}.${signature.slice(1)}`, `${user.id}..${signature}`, 'x', '%00'],
  ]
  for (const token of forged) {
    const path = `/announcements/unsubscribe/${token}`
    expect((await t.call(`GET ${path}`, { key: null })).status, token).toBe(404)
    expect((await t.call(`POST ${path}`, oneClick)).status, token).toBe(404)
  }
  expect((await t.call(`POST ${link}`, { key: null, body: {} })).status).toBe(415)
  expect((await t.call('GET /announcements/subscription', { key })).body.data).toEqual({ subscribed: true })
  await t.call(`DELETE /users/${user.id}`)
  expect((await t.call(`GET ${link}`, { key: null })).status).toBe(404)
  expect((await t.call(`POST ${link}`, oneClick)).status).toBe(404)
})

it('a browser gets a page that can be read, also for an invalid link, which names the service and leads to the sign-in page', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_FROM: '"Ada & Co" <no-reply@gatehouse.test>' })
  await announce(t)
  await sendAll(t)
  const link = await linkOf(t, 'admin@example.com')
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const inBrowser = { key: null, headers: { accept } }
  const post = { ...oneClick, headers: { ...form, accept } }
  const pages = [
    [200, 'Get no more announcements by mail?', await t.call(`GET ${link}`, inBrowser)],
    [200, 'You are unsubscribed', await t.call(`POST ${link}`, post)],
    [404, 'This link does not work', await t.call(`GET ${link}x`, inBrowser)],
    [404, 'This link does not work', await t.call(`POST ${link}x`, post)],
    [415, 'Please try again', await t.call(`POST ${link}`, { ...inBrowser, body: {} })],
  ] as const
  for (const [status, title, { status: was, headers, text }] of pages) {
    expect({ was, type: headers['content-type'] }).toEqual({ was: status, type: 'text/html; charset=utf-8' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain('Ada &#38; Co')
    expect(text).toContain('<a href="http://gatehouse.test/login">')
    expect(text).not.toContain('Ada & Co')
  }
  const refused = await t.call(`GET ${link}x`, { key: null, headers: { accept: 'application/json, */*' } })
  expect(refused).toMatchObject({ status: 404, body: { message: 'Resource not found.', code: 'not_found' } })
})

it('the choice is a boolean', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  for (const body of [{}, { subscribed: 'yes' }, { subscribed: 2 }, { subscribed: null }]) {
    const answer = await t.call('PUT /announcements/subscription', { body })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['subscribed']])
  }
})
