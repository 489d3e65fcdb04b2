import { randomUUID } from 'node:crypto'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import type { Log } from '../core/context.ts'
import type { Siblings } from '../core/siblings.ts'

type Metrics = MetricObjectWithValues<MetricValue<string>>[]
interface Question {
  readonly id: string
}
interface Answer extends Question {
  readonly metrics: Metrics
}

/** A process that does not answer within this time is left out. */
const patienceMs = 1_000

/** Returns a function that reads the metrics of this process and its siblings, added up, as text. */
export function sumMetrics(registry: Registry, siblings: Siblings, log: Log): () => Promise<string> {
  if (siblings.count === 0) return () => registry.metrics()
  const open = new Map<string, (metrics: Metrics) => void>()
  const read = () => registry.getMetricsAsJSON() as Promise<Metrics>
  siblings.hear('metrics?', async ({ id }: Question) => {
    const metrics = await read().catch((err): Metrics => {
      log.warn({ err }, 'the metrics of this process could not be read')
      return [] // an answer all the same, so that nobody waits for it
    })
    siblings.tell('metrics', { id, metrics } satisfies Answer)
  })
  siblings.hear('metrics', ({ id, metrics }: Answer) => open.get(id)?.(metrics))

  const askSiblings = (): Promise<Metrics[]> => {
    const id = randomUUID()
    const answers: Metrics[] = []
    return new Promise<Metrics[]>((done) => {
      const timer = setTimeout(() => done(answers), patienceMs)
      open.set(id, (metrics) => {
        if (answers.push(metrics) < siblings.count) return
        clearTimeout(timer)
        done(answers)
      })
      siblings.tell('metrics?', { id } satisfies Question)
    }).finally(() => open.delete(id))
  }
  return async () => {
    const [own, others] = await Promise.all([read(), askSiblings()])
    return AggregatorRegistry.aggregate([own, ...others]).metrics()
  }
}
