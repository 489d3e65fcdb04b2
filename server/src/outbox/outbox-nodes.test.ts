import { randomBytes } from 'node:crypto'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createWorkplace } from '../testing/child.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'

const key = `gh_${randomBytes(32).toString('base64url')}`
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const messages = 200

const addressOf = (index: number) => `address${index}@example.com`

it('two nodes share 200 messages and deliver each exactly once', async () => {
  const peer = await startSmtpPeer()
  const workplace = await createWorkplace(inject('postgresUrl'), {
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    GATEHOUSE_ADMIN_API_KEY: key,
  })
  onTestFinished(workplace.remove)
  const first = await workplace.start()
  const nodes = [first, await workplace.start()]
  const password = 'a kettle for nine gulls'
  const user = { email: addressOf(0), password, password_confirmation: password, role_id: 2 }
  const created = await fetch(`${first.url}/api/users`, { method: 'POST', headers, body: JSON.stringify(user) })
  const { data } = (await created.json()) as { data: { id: number } }

  // The server takes its time, so that the messages wait for both nodes.
  const released = Promise.withResolvers<void>()
  peer.onMail = () => released.promise
  for (let index = 1; index <= messages; index++) {
    const url = `${nodes[index % 2]?.url}/api/users/${data.id}`
    const body = JSON.stringify({ email: addressOf(index) }) // the old address is told
    const response = await fetch(url, { method: 'PATCH', headers, body })
    expect(response.status, await response.text()).toBe(200)
  }
  await until(() => peer.connections() === 10, 'both nodes to use all of their slots')
  released.resolve()
  await until(() => peer.mails.length >= messages, 'all mail', 60_000)

  const addresses = Array.from({ length: messages }, (_, index) => addressOf(index))
  const tries = async () => {
    const found: string[] = []
    for (const page of [1, 2, 3]) {
      const response = await fetch(`${first.url}/api/deliveries?per_page=100&page=${page}`, { headers })
      const { data } = (await response.json()) as { data: { status: string; attempts: number }[] }
      found.push(...data.map(({ status, attempts }) => `${status} ${attempts}`))
    }
    return found
  }
  await until(async () => (await tries()).every((one) => one.startsWith('sent')), 'all marks')
  expect(await tries()).toEqual(Array(messages).fill('sent 1'))
  expect(peer.mails.flatMap(({ to }) => to).sort()).toEqual(addresses.sort())
}, 120_000)
