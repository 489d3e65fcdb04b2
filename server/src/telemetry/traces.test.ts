import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, inject, it } from 'vitest'
import { systemActor } from '../core/context.ts'
import { sendMail } from '../mails/send-mail.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type HttpPeer, startHttpPeer } from '../testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../testing/webhooks.ts'

interface Received {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number }
  readonly attributes: Record<string, unknown>
}

const kinds = { internal: 1, server: 2, client: 3 }
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }

/** The spans of requests to a collector, in OTLP's JSON. */
function spansIn(requests: HttpPeer['requests']): Received[] {
  // biome-ignore lint/suspicious/noExplicitAny: what arrives is what is checked
  const toObject = (list: any[]) =>
    Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
  return requests
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap((resource) => resource.scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({ ...span, attributes: toObject(span.attributes) }))
}

/** Runs `work` on a service that sends its traces to a collector of the test, and returns all that has arrived there. */
async function collect(
  work: (t: TestApp) => Promise<unknown>,
  settings: Record<string, string> = {},
): Promise<{ spans: Received[]; requests: HttpPeer['requests'] }> {
  const collector = await startHttpPeer()
  collector.answer = () => ({ status: 200, body: '{}' })
  const url = collector.url.replace('//', '//user:pass@')
  const t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_OTLP_URL: `${url}/otlp`, ...settings })
  try {
    await work(t)
  } finally {
    await t.close()
  }
  const requests = collector.requests.filter(({ path }) => path === '/otlp/v1/traces')
  return { spans: spansIn(requests), requests }
}

it('a request is a span with its route and status, and its transaction is a step of it', async () => {
  const { spans, requests } = await collect(async (t) => {
    await t.call('GET /users/1?search=secret-word')
    await t.call('POST /roles', { body: { name: 'secret-name' } })
    await t.call('GET /no/such/secret-path')
  })
  expect(requests[0]).toMatchObject({ method: 'POST' })
  expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
  const [read, written, missed] = spans.filter(({ kind }) => kind === kinds.server)
  expect(read?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/users/:id',
    'http.response.status_code': 200,
    'gatehouse.request_id': expect.any(String),
  })
  expect(written).toMatchObject({ name: 'POST /api/roles', attributes: { 'http.response.status_code': 201 } })
  expect(missed).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } })
  expect(spans.find(({ name }) => name === 'transaction')).toMatchObject({
    traceId: written?.traceId,
    parentSpanId: written?.spanId,
    kind: kinds.internal,
  })
  expect(requests.map(({ body }) => body).join()).not.toContain('secret-')
})

it.each([
  ['a trusted proxy', '10.0.0.1', true],
  ['anybody else', '10.0.0.2', false],
])('traceparent of %s is continued: %s %s', async (_who, ip, isContinued) => {
  const { spans } = await collect((t) => t.call('GET /users/1', { ip, headers: caller }), {
    GATEHOUSE_TRUST_PROXY: '10.0.0.1',
  })
  const [span] = spans.filter(({ kind }) => kind === kinds.server)
  expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(span?.traceId === traceId).toBe(isContinued)
  expect(span?.parentSpanId === '00f067aa0ba902b7').toBe(isContinued)
})

it('mail is a span without its recipient', async () => {
  const { spans, requests } = await collect(async (t) => {
    await t.ctx.transaction(systemActor, (tx) =>
      sendMail(tx, { template: 'test', to: 'ada@example.com', userId: null, data: { at: 'now' } }),
    )
    await t.ctx.outbox.deliverDue()
  })
  expect(spans).toMatchObject([
    {
      name: 'send mail',
      kind: kinds.client,
      attributes: { 'gatehouse.message.kind': 'mail', 'gatehouse.message.template': 'test' },
    },
  ])
  expect(requests.map(({ body }) => body).join()).not.toContain('ada@')
})

it('a webhook is a span with its host alone, and tells its receiver the trace', async () => {
  const receiver = await startHttpPeer()
  receiver.answer = () => ({ status: 500 })
  const { spans, requests } = await collect(async (t) => {
    await createWebhook(t, `${receiver.url}/secret-path`, ['role.*'])
    await t.call('POST /roles', { body: { name: 'New' } })
    await deliverWebhooks(t)
  }, loopbackNetworks)
  const span = spans.find(({ name }) => name === 'send webhook')
  expect(span).toMatchObject({ kind: kinds.client, status: { code: 2 } })
  expect(span?.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 500,
  })
  expect(receiver.requests[0]?.headers.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`)
  expect(requests.map(({ body }) => body).join()).not.toContain('secret-path')
})

it.each([
  [null, false],
  [{ url: 'http://127.0.0.1:9', authorization: null }, true],
])('with the setting %j OpenTelemetry is loaded: %s', (otlp, isLoaded) => {
  const module = resolve('server/src/telemetry/open-telemetry.ts')
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('${resolve('server/src/app.ts')}')
    const { openTelemetry } = await import('${module}')
    await openTelemetry({ otlp: ${JSON.stringify(otlp)} }, {})
    console.log(loaded.some((url) => /opentelemetry.(sdk-trace|exporter)/.test(url))) // prom-client loads its API`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stdout.trim(), stderr).toBe(String(isLoaded))
})
