import { expect, inject, it } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { type HttpPeer, startHttpPeer } from '../testing/http-peer.ts'

interface Sent {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: what arrives is what is checked
  readonly [kind: string]: any
}

const sentTo = ({ requests }: HttpPeer) => requests.filter(({ path }) => path === '/otlp/v1/metrics')

/** The values of a counter in the order of /metrics. Other tests of this process have counted, too. */
const valuesIn = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'))].map(([, value]) => Number(value))

/** Runs a service with requests of two kinds and a sign-in that fails; what it answered at /metrics, and what the collector got. */
async function serveAndStop() {
  const collector = await startHttpPeer()
  collector.answer = () => ({ status: 200, body: '{}' })
  const url = collector.url.replace('//', '//user:pass@')
  const t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_OTLP_URL: `${url}/otlp` })
  const { text: before } = await t.call('GET //metrics')
  await t.call('GET /users/1')
  await t.call('GET /users/1')
  await t.call('POST /login', { key: null, body: { username: 'nobody', password: 'wrong' } })
  const { text } = await t.call('GET //metrics')
  await t.close()
  return { before, text, collector }
}

it('sends what /metrics shows, a last time at the stop', async () => {
  const { before, text, collector } = await serveAndStop()
  const [request, ...others] = sentTo(collector)
  expect(others).toEqual([])
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
  const [{ resource, scopeMetrics }] = JSON.parse(request?.body ?? '').resourceMetrics
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'gatehouse' } })
  expect(resource.attributes.map(({ key }: { key: string }) => key)).toContain('service.instance.id')

  const metrics: Sent[] = scopeMetrics.flatMap((scope: { metrics: Sent[] }) => scope.metrics)
  const shown = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const kinds = { sum: 'counter', gauge: 'gauge', histogram: 'histogram' }
  const sent = metrics.map((metric) => {
    const kind = Object.entries(kinds).find(([kind]) => kind in metric)?.[1]
    return `${metric.name} ${kind}`
  })
  expect(sent.sort()).toEqual(shown.sort())

  const find = (name: string) => metrics.find((metric) => metric.name === name) as Sent
  const failures = find('gatehouse_sign_ins_total').sum
  expect(failures).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 })
  const counted = valuesIn(text, 'gatehouse_sign_ins_total')
  expect(failures.dataPoints.map(({ asDouble }: { asDouble: number }) => asDouble)).toEqual(counted)
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
  expect(total(counted)).toBe(total(valuesIn(before, 'gatehouse_sign_ins_total')) + 1)

  const route = { key: 'route', value: { stringValue: '/api/users/:id' } }
  const [point] = find('gatehouse_http_request_duration_seconds').histogram.dataPoints.filter(
    ({ attributes }: { attributes: object[] }) =>
      attributes.some((one) => JSON.stringify(one) === JSON.stringify(route)),
  )
  const counts: number[] = point.bucketCounts
  expect(Number(point.count)).toBe(2)
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(2)
  expect(counts).toHaveLength(point.explicitBounds.length + 1)
  expect(point.explicitBounds.slice(0, 2)).toEqual([0.001, 0.005])
})
