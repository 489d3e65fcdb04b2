import { expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../server/src/db/open.ts'
import { createMigrated, newKey, type ServerProcess } from '../../../server/src/testing/server-process.ts'
import { until } from '../../../server/src/testing/until.ts'
import { createUsers, startMailSink } from './testing/notifying.ts'

const count = 800
/** Guaranteed by the outbox; see docs/mail-and-sms.md. */
const claimedAtOnce = 100

it('two nodes mail nobody twice, and the other finishes the work of a killed one: none lost, duplicates have the same Message-ID', async () => {
  const peer = await startMailSink()
  const installation = await createMigrated(inject('postgresUrl'), {
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    GATEHOUSE_ADMIN_EMAIL: 'admin@example.com',
    GATEHOUSE_ADMIN_API_KEY: newKey(),
  })
  onTestFinished(installation.remove)
  const first = await installation.start()
  const db = openDatabase(installation.database.address, () => {})
  const everybody = ['admin@example.com', ...(await createUsers(db, count - 1))].sort()
  await db.destroy()
  const second = await installation.start()

  const announce = async (node: ServerProcess): Promise<number> => {
    const body = { title: 'News', body: 'B', email_notifications: true }
    const answer = await node.call('POST /announcements', { body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data.id
  }
  const isDone = (id: number) => async () => {
    const { body } = await second.call(`GET /announcements/${id}/notifications`)
    const { status, total, queued, sent, failed, skipped } = body.data
    expect(queued + sent + failed + skipped).toBe(total)
    return status === 'done' && sent === count
  }

  await until(isDone(await announce(first)), 'both nodes to mail everybody')
  expect(peer.mails.map(({ to }) => to).sort()).toEqual(everybody)

  peer.mails.length = 0
  const id = await announce(second)
  await until(() => peer.mails.length > count / 4, 'a quarter of the mails')
  await first.stop('SIGKILL')
  await until(isDone(id), 'the other node to do the rest')
  const mails = peer.mails.map(({ to, messageId }) => `${to} ${messageId}`)
  expect([...new Set(mails)].map((mail) => mail.split(' ')[0]).sort()).toEqual(everybody)
  expect(mails.length - count).toBeLessThanOrEqual(claimedAtOnce)
})
