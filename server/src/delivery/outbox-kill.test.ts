import { randomBytes } from 'node:crypto'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createWorkplace, type RunningService, until } from '../testing/child.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'

const key = `gh_${randomBytes(32).toString('base64url')}`

/** When the service is killed: after its answer, while the server has the mail and has not said so, or once it has. */
const moments = ['answered', 'handed over', 'taken'] as const

async function call(service: RunningService, request: string, body?: object) {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(`${service.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.ok, await response.clone().text()).toBe(true)
  return (await response.json()) as { data: { id: number } & { status: string }[] }
}

const mailsTo = (peer: SmtpPeer, address: string) => peer.mails.filter(({ to }) => to.includes(address))

/** Some rounds on an installation of their own; how many mails came twice. */
async function killRounds(name: string, rounds: number): Promise<number> {
  const peer = await startSmtpPeer()
  const workplace = await createWorkplace(inject('postgresUrl'), {
    ...{ GATEHOUSE_MAIL_URL: peer.url, GATEHOUSE_LOG_LEVEL: 'silent' },
    ...{ GATEHOUSE_ADMIN_EMAIL: 'admin@example.com', GATEHOUSE_ADMIN_API_KEY: key },
  })
  onTestFinished(workplace.remove)
  let service = await workplace.start()
  let twice = 0
  for (let round = 0; round < rounds; round++) {
    const moment = moments[round % moments.length]
    const address = `${name}-${round}@example.com`
    const password = 'correct horse battery staple'
    const fields = { email: address, password, password_confirmation: password, role_id: 2 }
    const { data: user } = await call(service, 'POST /users', fields)
    const isOver = Promise.withResolvers<void>()
    peer.onMail = async ({ to }) => {
      if (!to.includes(address)) return
      if (moment === 'handed over') await service.stop('SIGKILL')
      if (moment !== 'answered') isOver.resolve()
    }
    // The old address is told.
    await call(service, `PATCH /users/${user.id}`, { email: `new-${address}` })
    if (moment !== 'answered') await isOver.promise
    await service.stop('SIGKILL')
    peer.onMail = () => {}

    service = await workplace.start()
    await until(() => mailsTo(peer, address).length > 0, `the mail of round ${round}, killed when ${moment}`, 15_000)
    const isSent = async () => {
      const { data } = await call(service, `GET /deliveries?filter[recipient]=${address}`)
      return data.length === 1 && data[0]?.status === 'sent'
    }
    await until(isSent, `round ${round} to be marked`, 20_000)
    const mails = mailsTo(peer, address)
    expect(mails.length).toBeLessThanOrEqual(2)
    expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size).toBe(1)
    twice += mails.length - 1
  }
  await service.stop()
  return twice
}

it('kill -9 between commit, send and mark: no mail lost, at most one duplicate per kill, same Message-ID', async () => {
  // 20 rounds on SQLite, 5 on PostgreSQL; a round waits for a lease, so installations take turns at waiting.
  const installations = inject('postgresUrl') === null ? [5, 5, 5, 5] : [3, 2]
  const twice = await Promise.all(installations.map((rounds, index) => killRounds(`n${index}`, rounds)))
  // Where the kill struck between send and mark, the mail cannot but come twice: the test does strike there.
  expect(twice.every((count) => count > 0)).toBe(true)
}, 300_000)
