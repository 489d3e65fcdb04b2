import { expect, inject, it, onTestFinished } from 'vitest'
import { createMigrated, newKey } from '../testing/server-process.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'

const messages = 200

type Delivery = { status: string; attempts: number }

const addressOf = (index: number) => `address${index}@example.com`

it('two nodes share 200 messages and deliver each exactly once', async () => {
  const peer = await startSmtpPeer()
  const place = await createMigrated(inject('postgresUrl'), {
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    GATEHOUSE_ADMIN_API_KEY: newKey(),
  })
  onTestFinished(place.remove)
  const first = await place.start()
  const nodes = [first, await place.start()]
  const password = 'a kettle for nine gulls'
  const user = { email: addressOf(0), password, password_confirmation: password, role_id: 2 }
  const { id } = (await first.call('POST /users', { body: user })).body.data

  // The server takes its time, so that the messages wait for both nodes.
  const released = Promise.withResolvers<void>()
  peer.onMail = () => released.promise
  for (let index = 1; index <= messages; index++) {
    // The old address is told.
    const answer = await nodes[index % 2]?.call(`PATCH /users/${id}`, { body: { email: addressOf(index) } })
    expect(answer?.status, answer?.text).toBe(200)
  }
  await until(() => peer.connections() === 10, 'both nodes to use all of their slots')
  released.resolve()
  await until(() => peer.mails.length >= messages, 'all mail')

  const addresses = Array.from({ length: messages }, (_, index) => addressOf(index))
  const tries = async () => {
    const found: string[] = []
    for (const page of [1, 2, 3]) {
      const { data } = (await first.call(`GET /deliveries?per_page=100&page=${page}`)).body
      found.push(...data.map(({ status, attempts }: Delivery) => `${status} ${attempts}`))
    }
    return found
  }
  await until(async () => (await tries()).every((one) => one.startsWith('sent')), 'all marks')
  expect(await tries()).toEqual(Array(messages).fill('sent 1'))
  expect(peer.mails.flatMap(({ to }) => to).sort()).toEqual(addresses.sort())
})
