import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openSecrets } from '../../outbox/secrets.ts'
import { createAccount, newcomer, newNetwork, oldPassword } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'

/* Anybody can have mail sent to anybody: by registering their address, by changing their own to it, or by asking again. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let mailboxes = 0
const newMailbox = () => `victim${++mailboxes}`

const register = (email: string, more: Record<string, unknown> = {}, ip = newNetwork()) =>
  t.call('POST /register', { key: null, body: newcomer({ email, ...more }), ip })
const resend = (email: string, ip = newNetwork()) => t.call('POST /email/resend', { key: null, body: { email }, ip })
const remind = (email: string, ip = newNetwork()) => t.call('POST /password/remind', { key: null, body: { email }, ip })
const change = (key: string, email: string) =>
  t.call('PATCH /me/details/auth', { key, body: { email, current_password: oldPassword } })

const mails = () => t.ctx.unguarded.selectFrom('deliveries').selectAll().orderBy('id').execute()
/** The mails of each kind to a mailbox, ignoring its plus part. */
async function mailsTo(mailbox: string): Promise<string[]> {
  const sent = (await mails()).filter(({ recipient }) => recipient.toLowerCase().startsWith(mailbox))
  return sent.map(({ template }) => template)
}

describe('mail to an unconfirmed address', () => {
  it('by changing one’s own to it 60 times, is sent once; every answer is the same', async () => {
    const [victim, { key }] = [newMailbox(), await createAccount(t)]
    const spellings = ['', '+a', '+b', '+c+d'].map((plus) => `${victim}${plus}@example.com`)
    const answers = []
    for (let index = 0; index < 60; index++) answers.push(await change(key, spellings[index % 4] as string))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await mailsTo(victim)).toEqual(['confirm-email'])
  })

  it('by 20 registrations with plus-addresses from as many networks, is sent once; every answer is 201', async () => {
    const victim = newMailbox()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => register(`${victim}+${index}@example.com`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await mailsTo(victim)).toEqual(['confirm-email'])
  })

  // asvs: 2.3.2
  it('is limited to one a minute and five an hour', async () => {
    const victim = newMailbox()
    const sent: number[] = []
    for (let minute = 0; minute < 60; minute++) {
      for (const plus of ['', 'a', 'b']) await register(`${victim}+${minute}${plus}@example.com`)
      sent.push((await mailsTo(victim)).length)
      t.clock.advance({ minutes: 1 })
    }
    expect(sent).toEqual([1, 2, 3, 4, 5, ...Array(55).fill(5)])
    await register(`${victim}+next@example.com`)
    expect(await mailsTo(victim)).toHaveLength(6)
  })

  it.each([
    ['resending', resend],
    ['reminding', remind],
  ])('%s is not held back by a request that sent nothing', async (_name, ask) => {
    const victim = newMailbox()
    const email = `${victim}@example.com`
    await register(email)
    t.clock.advance({ seconds: 50 })
    await ask(email)
    expect(await mailsTo(victim)).toHaveLength(1)
    t.clock.advance({ seconds: 12 })
    await ask(email)
    await ask(email)
    expect(await mailsTo(victim)).toHaveLength(2)
  })

  it('counts all kinds together: registration, resending, a changed address and reminding the Unconfirmed', async () => {
    const [victim, { key }] = [newMailbox(), await createAccount(t)]
    const email = `${victim}@example.com`
    const kinds = [
      () => register(email),
      () => resend(email),
      () => remind(email),
      () => change(key, `${victim}+changed@example.com`),
    ]
    for (const first of kinds) {
      const before = (await mailsTo(victim)).length
      await first()
      for (const next of kinds) await next()
      expect((await mailsTo(victim)).length).toBe(before + 1)
      t.clock.advance({ minutes: 1 })
    }
    expect(new Set(await mailsTo(victim))).toEqual(new Set(['confirm-email', 'reset-password']))
    await resend(email)
    expect(await mailsTo(victim)).toHaveLength(5)
    for (let minute = 0; minute < 3; minute++) {
      t.clock.advance({ minutes: 1 })
      for (const kind of kinds) await kind()
    }
    expect(await mailsTo(victim)).toHaveLength(5)
  })

  it('that is not sent voids nothing: the earlier link stays valid', async () => {
    const [victim, { user, key }] = [newMailbox(), await createAccount(t)]
    await change(key, `${victim}@example.com`)
    const token = tokenIn(await messageTo(t, `${victim}@example.com`, 'confirm-email'))
    await change(key, `${victim}+other@example.com`)
    const body = { token, password: oldPassword }
    expect((await t.call('POST /email/verify', { key: null, body })).status).toBe(200)
    expect((await t.call(`GET /users/${user.id}`)).body.data.email).toBe(`${victim}@example.com`)
  })

  it('is limited to a hundred an hour for one network, whatever the recipients; other networks are not affected', async () => {
    const [many, network] = [newMailbox(), newNetwork()]
    const names = Array.from({ length: 105 }, (_, index) => `${many}.${index}@example.com`)
    const answers = await Promise.all(names.map((name) => register(name, {}, network)))
    expect(answers.map(({ status }) => status)).toEqual(Array(105).fill(201))
    expect(await mailsTo(many)).toHaveLength(100)
    await register(`${many}.other@example.com`)
    expect(await mailsTo(many)).toHaveLength(101)
    t.clock.advance({ hours: 1 })
    await register(`${many}.later@example.com`, {}, network)
    expect(await mailsTo(many)).toHaveLength(102)
  })

  it('is limited to twenty an hour for one user, from any network', async () => {
    const [many, { key }] = [newMailbox(), await createAccount(t)]
    for (let index = 0; index < 25; index++) {
      const body = { email: `${many}.${index}@example.com`, current_password: oldPassword }
      expect((await t.call('PATCH /me/details/auth', { key, body, ip: newNetwork() })).status).toBe(200)
    }
    expect(await mailsTo(many)).toHaveLength(20)
  })

  it('that was not sent is not counted: a flood for an address without an account uses up none of its mails', async () => {
    const victim = newMailbox()
    for (let index = 0; index < 10; index++) {
      await resend(`${victim}@example.com`)
      await remind(`${victim}@example.com`)
    }
    await register(`${victim}@example.com`)
    expect(await mailsTo(victim)).toEqual(['confirm-email'])
  })

  it('is sent again though a clock was set back meanwhile', async () => {
    const victim = newMailbox()
    await register(`${victim}@example.com`)
    t.clock.advance({ days: -1 })
    await resend(`${victim}@example.com`)
    expect(await mailsTo(victim)).toEqual(['confirm-email', 'confirm-email'])
    t.clock.advance({ days: 1 })
  })

  it('does not affect confirmed addresses: reset mails and notices of changes are still sent', async () => {
    const victim = newMailbox()
    const { user } = await createAccount(t, { email: `${victim}@example.com` })
    for (let minute = 0; minute < 6; minute++) {
      await register(`${victim}+${minute}@example.com`)
      t.clock.advance({ minutes: 1 })
    }
    const before = (await mailsTo(victim)).length
    await remind(user.email)
    await t.call(`PATCH /users/${user.id}`, {
      body: { password: 'a door in the wall', password_confirmation: 'a door in the wall' },
    })
    expect((await mailsTo(victim)).slice(before)).toEqual(['reset-password', 'password-changed'])
  })
})

describe('what a stranger chose', () => {
  const call = 'URGENT call +1 900 555 0100'

  it('never appears in mail to an unconfirmed address, of any kind', async () => {
    const victim = newMailbox()
    const email = `${victim}@example.com`
    await register(email, { username: call })
    for (const next of [resend, remind]) {
      t.clock.advance({ minutes: 1 })
      await next(email)
    }
    const { user, key } = await createAccount(t, { first_name: call, username: `${call} 2`, last_name: call })
    t.clock.advance({ minutes: 1 })
    await change(key, `${victim}+changed@example.com`)
    const { data } = (await t.call(`GET /users?filter[search]=${victim}`)).body
    const password = { password: 'a door in the wall', password_confirmation: 'a door in the wall' }
    await t.call(`PATCH /users/${data[0].id}`, { body: password })
    const sent = (await mails()).filter(({ recipient }) => recipient.startsWith(victim))
    const expected = ['confirm-email', 'confirm-email', 'reset-password', 'confirm-email', 'password-changed']
    expect(sent.map(({ template }) => template)).toEqual(expected)
    for (const { subject, body_text, body_html } of sent.map((row) => openSecrets(t.ctx.sealer, row))) {
      expect(`${subject} ${body_text} ${body_html}`).not.toMatch(/URGENT|900/)
      expect(body_text).toMatch(/^Hello,\n/)
      expect(body_html).toContain('<p>Hello,</p>')
    }
    // Users with a confirmed address are addressed by name.
    await t.call(`PATCH /users/${user.id}`, { body: password })
    expect((await messageTo(t, user.email, 'password-changed')).body_text).toContain('Hello URGENT')
  })
})
