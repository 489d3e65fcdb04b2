import { EventEmitter } from 'node:events'
import { Gauge, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { type Log, silentLog } from '../core/context.ts'
import type { Siblings } from '../core/siblings.ts'
import { sumMetrics } from './metrics-sum.ts'

/** Two processes that hear each other, in one. */
function pair(): [Siblings, Siblings] {
  const [one, other] = [new EventEmitter(), new EventEmitter()]
  const join = (own: EventEmitter, peer: EventEmitter): Siblings => ({
    count: 1,
    tell: (topic, data) => void peer.emit(topic, data),
    hear: (topic, listen) => void own.on(topic, listen as (data: unknown) => void),
  })
  return [join(one, other), join(other, one)]
}

const registryWith = (collect: (gauge: Gauge) => Promise<void>): Registry => {
  const registry = new Registry()
  new Gauge({
    name: 'answers',
    help: 'A number.',
    registers: [registry],
    async collect() {
      await collect(this)
    },
  })
  return registry
}

it('a process that cannot read its metrics says so in its log, and is left out of the sum', async () => {
  const [here, there] = pair()
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (_details, message) => void warnings.push(message) }
  const broken = registryWith(async () => {
    throw new Error('Connection terminated')
  })
  sumMetrics(broken, there, log)
  const read = sumMetrics(
    registryWith(async (gauge) => gauge.set(3)),
    here,
    silentLog,
  )
  expect(await read()).toContain('answers 3\n')
  expect(warnings).toEqual(['the metrics of this process could not be read'])
})

it('the values of the processes are added up', async () => {
  const [here, there] = pair()
  const three = () => registryWith(async (gauge) => gauge.set(3))
  sumMetrics(three(), there, silentLog)
  expect(await sumMetrics(three(), here, silentLog)()).toContain('answers 6\n')
})
