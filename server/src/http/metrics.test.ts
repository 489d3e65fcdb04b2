import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../testing/app.ts'
import { until } from '../testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const scrape = async (key = t.adminKey) => t.call('GET //metrics', { key })
const count = (metrics: string, labels: string): number =>
  Number(
    new RegExp(`^gatehouse_http_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0,
  )

describe('/metrics', () => {
  // asvs: 13.4.5
  it('needs a credential with settings.general', async () => {
    expect((await t.call('GET //metrics', { key: null })).status).toBe(401)
    const roleId = await t.createRole('Watcher', ['settings.general'])
    const others = await t.createRole('Others', ['users.manage', 'users.activity', 'settings.auth'])
    expect((await scrape((await t.createUser({ role_id: others })).key)).status).toBe(403)
    expect((await scrape((await t.createUser({ role_id: 1 }, ['users.manage'])).key)).status).toBe(403)
    expect((await scrape((await t.createUser({ role_id: roleId })).key)).status).toBe(200)
    expect((await scrape((await t.createUser({ role_id: 1 }, ['settings.general'])).key)).status).toBe(200)
  })

  it('is in the Prometheus text format: every line is a comment or a sample, every sample is described', async () => {
    const { text, headers } = await scrape()
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text.endsWith('\n')).toBe(true)
    const described = new Set<string>()
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+) /.exec(line) ?? []
      if (kind === 'TYPE' && name !== undefined) described.add(name)
      if (kind !== undefined) continue
      const sample = /^([a-z_0-9]+?)(?:_bucket|_sum|_count)?(?:\{[^}]*\})? -?[\d.e+-]+$/.exec(line)
      const whole = /^[a-z_0-9]+/.exec(line)?.[0] ?? ''
      expect(sample !== null || / (NaN|[+-]Inf)$/i.test(line), line).toBe(true)
      expect(described.has(whole) || described.has(sample?.[1] ?? ''), line).toBe(true)
    }
    expect(described).toContain('gatehouse_process_resident_memory_bytes')
    expect(described).toContain('gatehouse_nodejs_eventloop_lag_seconds')
  })

  it('counts requests by method, route and status, not by id or query', async () => {
    const before = (await scrape()).text
    for (const id of [101, 102, 103]) await t.call(`GET /users/${id}?q=canary-in-a-query`)
    await t.call('GET /users/1')
    await t.call('POST /users', { body: '{' })
    const { text } = await scrape()
    const grown = (labels: string) => count(text, labels) - count(before, labels)
    expect(grown('method="GET",route="/api/users/:id",status="404"')).toBe(3)
    expect(grown('method="GET",route="/api/users/:id",status="200"')).toBe(1)
    expect(grown('method="POST",route="/api/users",status="400"')).toBe(1)
    expect(text).not.toMatch(/canary|\/101|admin@example/)
  })

  it('does not grow with unknown paths', async () => {
    const series = async () => (await scrape()).text.split('\n').filter((line) => line.includes('_request_')).length
    await t.call('GET /users/x')
    const before = await series()
    for (let made = 0; made < 30; made++) await t.call(`GET /no-such-${made}`, { key: null })
    for (let made = 0; made < 30; made++) await t.call(`GET /users/x${made}`)
    expect(await series()).toBe(before)
  })

  it('shows the result of each job', async () => {
    const [job] = t.ctx.jobs.runners
    expect(job?.name).toBe('maintenance.tokens')
    job?.start()
    job?.wake()
    await expect
      .poll(async () => (await scrape()).text)
      .toContain('gatehouse_job_runs_total{job="maintenance.tokens",outcome="success"} 1\n')
    const { text } = await scrape()
    expect(text).toMatch(/^gatehouse_job_last_run_timestamp_seconds\{job="maintenance\.tokens"\} \d{10}/m)
    expect(text).toMatch(/^gatehouse_job_last_duration_seconds\{job="maintenance\.tokens"\} \d/m)
    await job?.stop()
  })
})

describe('what the service knows of itself', () => {
  it('names the outbox, the pool, refused requests and what is running', async () => {
    await t.call('GET /users', { key: null })
    const { text } = await scrape()
    expect(text).toMatch(/^gatehouse_outbox_messages\{state="queued"\} \d+$/m)
    expect(text).toMatch(/^gatehouse_outbox_oldest_seconds \d/m)
    expect(text).toMatch(/^gatehouse_outbox_failures_total\{kind="mail"\} \d+$/m)
    expect(text).toMatch(/^gatehouse_webhook_messages \d+$/m)
    expect(text).toMatch(/^gatehouse_db_pool_connections\{state="waiting"\} 0$/m) // its own reads do not count
    expect(text).toMatch(/^# TYPE gatehouse_db_errors_total counter$/m)
    expect(text).toMatch(/^gatehouse_refused_total\{reason="unauthenticated"\} [1-9]/m)
    expect(text).toMatch(/^gatehouse_build_info\{version="[^"]+",commit="[^"]+",node="v[^"]+"\} 1$/m)
  })

  it('counts what the database refused', async () => {
    const role = { id: 1, name: 'Twice', name_canonical: 'twice', removable: 1, created_at: '', updated_at: '' }
    await expect(t.ctx.unguarded.insertInto('roles').values(role).execute()).rejects.toThrow()
    expect((await scrape()).text).toMatch(
      /^gatehouse_db_errors_total\{code="(?:23505|SQLITE_CONSTRAINT_PRIMARYKEY)"\} [1-9]/m,
    )
  })

  it('counts the hits and misses of the credential cache, and what is in it', async () => {
    const { key } = await t.createUser({ role_id: 1 })
    const use = async (kind: string) => {
      const { text } = await scrape(key)
      return Number(new RegExp(`^gatehouse_cache_${kind}\\{cache="credentials"\\} (\\d+)$`, 'm').exec(text)?.[1])
    }
    const before = { hits: 0, misses: 0 }
    // A key is read again until its use is noted, which requests do not wait for.
    await until(async () => {
      before.hits = await use('hits_total')
      before.misses = await use('misses_total')
      return (await use('hits_total')) === before.hits + 2
    })
    await t.call('GET /me', { key })
    expect(await use('hits_total')).toBe(before.hits + 4) // with the scrapes
    expect(await use('misses_total')).toBe(before.misses)

    const entries = await use('entries')
    expect(entries).toBeGreaterThanOrEqual(1)
    await t.call('GET /me', { key: `gh_${'x'.repeat(43)}` })
    expect(await use('misses_total')).toBe(before.misses + 1)
    expect(await use('entries')).toBe(entries) // what does not exist is not kept
  })

  it('counts prepared statements, texts of bulk mail and searched trigrams the same way', async () => {
    const { text } = await scrape()
    expect(text).toMatch(/^gatehouse_cache_hits_total\{cache="statements"\} [1-9]\d*$/m)
    expect(text).toMatch(/^gatehouse_cache_misses_total\{cache="statements"\} [1-9]\d*$/m)
    expect(text).toMatch(/^gatehouse_cache_entries\{cache="statements"\} [1-9]\d*$/m)
    expect(text).toMatch(/^gatehouse_cache_hits_total\{cache="mail_bodies"\} \d+$/m)
  })

  it('counts messages that wait, and how long the oldest has', async () => {
    await t.call('POST /users/invite', { body: { email: 'late@example.com', role_id: 2 } })
    t.clock.advance({ seconds: 90 })
    const { text } = await scrape()
    expect(text).toMatch(/^gatehouse_outbox_messages\{state="queued"\} 1$/m)
    expect(Number(/^gatehouse_outbox_oldest_seconds ([\d.]+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90)
  })
})

it('leaves out what the database does not answer, and shows the rest; it is there again when the database answers', async () => {
  const app = await createTestApp(inject('postgresUrl'))
  const rename = async (from: string, to: string) => {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.ctx.unguarded)
  }
  const samples = async () => {
    const { status, text } = await app.call('GET //metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/^gatehouse_build_info\{/m)
    expect(text).toMatch(/^gatehouse_process_resident_memory_bytes \d+$/m)
    return text.split('\n').filter((line) => /^gatehouse_(outbox_(messages|oldest)|webhook_messages)/.test(line))
  }
  const whole = await samples()
  expect(whole).toHaveLength(5)
  await rename('deliveries', 'away')
  expect(await samples()).toEqual(['gatehouse_webhook_messages 0'])
  await rename('webhook_messages', 'away_too')
  expect(await samples()).toEqual([])
  await rename('away', 'deliveries')
  await rename('away_too', 'webhook_messages')
  expect(await samples()).toEqual(whole)
})
