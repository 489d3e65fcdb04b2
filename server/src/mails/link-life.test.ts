import { expect, inject, it } from 'vitest'
import { createAccount, registerUnconfirmed, remind } from '../testing/accounts.ts'
import { createTestApp } from '../testing/app.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'

it('a mail is sent no later than its link works', async () => {
  const peer = await startSmtpPeer()
  peer.behave({ refuse: 'not now' })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  const { user } = await createAccount(t)
  await remind(t, user.email)
  await t.ctx.outbox.deliverDue()
  t.clock.advance({ hours: 3 })
  peer.behave('accept')
  await t.ctx.outbox.deliverDue()
  expect(peer.mails).toEqual([])
  expect((await t.call('GET /deliveries?filter[template]=reset-password')).body.data).toMatchObject([
    { status: 'failed', last_error: 'It could not be sent while it was of use.' },
  ])
})

it('the life of each link is that of its mail', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user } = await createAccount(t)
  await remind(t, (await createAccount(t)).user.email)
  await registerUnconfirmed(t)
  await t.call('POST /users/invite', { body: { email: 'guest@example.com', role_id: 2 } })
  await t.call(`PATCH /users/${user.id}`, { body: { email: `moved.${user.email}` } })
  const mails = t.ctx.db.selectFrom('deliveries').select(['template', 'give_up_ms']).where('secret', '=', 1)
  const tokens = await t.ctx.db.selectFrom('tokens').select('expires_ms').execute()
  const found = await mails.execute()
  expect(found.map(({ template }) => template).toSorted()).toEqual([
    'confirm-email',
    'email-changed',
    'invitation',
    'reset-password',
  ])
  expect(found.map(({ give_up_ms }) => give_up_ms).toSorted()).toEqual(
    tokens.map(({ expires_ms }) => expires_ms).toSorted(),
  )
})
