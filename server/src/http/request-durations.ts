import type { Registry } from 'prom-client'

const name = 'gatehouse_http_request_duration_seconds'
const help = 'How long requests took, by method, route and status.'
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number }
  /** Counts per bucket, and one for values beyond the last bound. */
  readonly counts: number[]
  sum: number
}

/** Records a request: method, route, status, seconds. */
export type NoteDuration = (method: string, route: string, status: number, seconds: number) => void

/**
 * A histogram with prom-client's output format. prom-client itself looks up labels for every request, which costs as much as
 * reading a user.
 */
export function createDurations(registry: Registry): NoteDuration {
  const all = new Map<string, Series>()
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...all.values()].flatMap(toValues),
  })
  registry.registerMetric({ name, help, get, reset: () => all.clear() } as never)
  return (method, route, status, seconds) => {
    const key = `${method} ${status} ${route}`
    let series = all.get(key)
    if (series === undefined) {
      series = { labels: { method, route, status }, counts: [...bounds, 0].fill(0), sum: 0 }
      all.set(key, series)
    }
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
    series.counts[bucket] = (series.counts[bucket] as number) + 1
    series.sum += seconds
  }
}

function toValues({ labels, counts, sum }: Series) {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, bucket) => {
    count += counts[bucket] as number
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
