import { expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '../db/open.ts'
import { runHere } from '../testing/run-here.ts'
import { createMigrated } from '../testing/server-process.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'

async function createHere(settings: Record<string, string>) {
  const place = await createMigrated(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  return { ...place, run: (...args: string[]) => runHere(place, args) }
}

it('mail test sends a mail directly, without the outbox, and says which server accepted it', async () => {
  const peer = await startSmtpPeer()
  const { run } = await createHere({
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_MAIL_FROM: 'House <house@bücher.example>',
  })
  const { code, stdout } = await run('mail', 'test', '--to', 'ada@example.com')
  expect(stdout).toBe(
    `127.0.0.1:${peer.port} accepted the mail for ada@example.com, from House <house@bücher.example>.\n`,
  )
  expect(code).toBe(0)
  expect(peer.mails[0]).toMatchObject({ to: ['ada@example.com'], parsed: { subject: 'A test mail' } })
  expect(peer.mails[0]?.parsed.messageId).toMatch(/@xn--bcher-kva\.example>$/)
})

it('mail test says in one line why the server refused it, without the password', async () => {
  const peer = await startSmtpPeer()
  peer.behave({ refuse: 'you are not welcome' })
  const url = `smtp://me:s3cret-w0rd@127.0.0.1:${peer.port}?tls=opportunistic`
  const refused = await (await createHere({ GATEHOUSE_MAIL_URL: url })).run('mail', 'test', '--to', 'ada@example.com')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^gatehouse: GATEHOUSE_MAIL_URL: 127\.0\.0\.1:\d+ refused the mail: [^\n]+\n$/)
  expect(refused.stderr).not.toContain('s3cret')
  const captured = await (await createHere({})).run('mail', 'test', '--to', 'ada@example.com')
  expect(captured).toMatchObject({ code: 1, stderr: expect.stringContaining('capture:') })
  const wrong = await (await createHere({ GATEHOUSE_MAIL_URL: url })).run('mail', 'test', '--to', 'ada, eve')
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('is not an email address') })
})

it('deliveries list shows what is queued, as a table and as JSON; retry refuses an unknown id', async () => {
  const { run } = await createHere({})
  const json = await run('deliveries', 'list', '--status', 'failed', '--kind', 'mail', '--json')
  expect(json).toMatchObject({ code: 0, stdout: '[]\n' })
  const table = await run('deliveries', 'list')
  expect(table.stdout).toMatch(/^id +kind +template +status +recipient +attempts +last_error +created_at\n0 of 0\n$/)
  expect(await run('deliveries', 'retry', '1')).toMatchObject({
    code: 1,
    stderr: 'gatehouse: There is no message 1.\n',
  })
})

it('deliveries retry makes the running service send at once; neither list nor log repeats a link that a server quotes', async () => {
  const peer = await startSmtpPeer()
  const { start, run, database } = await createHere({
    GATEHOUSE_MAIL_URL: peer.url,
    GATEHOUSE_ADMIN_EMAIL: 'admin@example.com',
  })
  const service = await start()
  let quoted = ''
  peer.behave({
    refuse: ({ parsed }) => {
      quoted = /token=([\w-]+)/.exec(parsed.text ?? '')?.[1] ?? ''
      return `spam: ${parsed.text?.match(/http\S+/)}`
    },
  })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'admin@example.com' })
  const { status } = await fetch(`${service.url}/api/password/remind`, { method: 'POST', headers, body })
  expect(status).toBe(200)
  const listed = async () => (await run('deliveries', 'list', '--status', 'queued')).stdout
  let table = ''
  await until(async () => {
    table = await listed()
    return table.includes('spam')
  }, 'the refusal')
  const db = openDatabase(database.address, () => {})
  // The service would try again within seconds.
  await db
    .updateTable('deliveries')
    .set({ due_ms: Date.now() + 30 * 60_000 })
    .execute()
  await db.destroy()
  peer.behave('accept')
  expect(await run('deliveries', 'retry', '1')).toMatchObject({ code: 0, stdout: expect.stringContaining('due now') })
  await until(() => peer.mails.length === 1, 'the mail')
  const { stdout: log } = await service.stop()
  expect(log).toContain('a message was not taken')
  expect(log).toContain('spam')
  expect(quoted).toHaveLength(43)
  expect(log + table).not.toContain(quoted)
})
