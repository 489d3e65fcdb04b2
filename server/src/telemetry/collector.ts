import { randomUUID } from 'node:crypto'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { OtlpConfig } from '../config.ts'
import type { Log } from '../core/context.ts'
import { version } from '../version.ts'

/** How long one delivery to the collector may take, and so the end of the process at most. */
export const exportMs = 5_000

/** What is sent, by the last part of its path at the collector. */
export type Signal = 'traces' | 'metrics'

interface Exporter<Items> {
  export: (items: Items, done: (result: ExportResult) => void) => void
}

interface ExporterSettings {
  readonly url: string
  readonly timeoutMillis: number
  readonly headers?: Record<string, string>
}

/** What the senders of traces and of metrics share. */
export interface Collector {
  readonly resource: Resource
  /** Makes an exporter, and logs when the collector stops and starts taking what it sends. */
  readonly connect: <Items, E extends Exporter<Items>>(
    Exporter: new (settings: ExporterSettings) => E & Exporter<Items>,
    signal: Signal,
  ) => E
}

/** Logs changes alone, not every failure, and without the URL, which may hold a password. */
function createReporter(signal: Signal, log: Log): (result: ExportResult) => void {
  let isAway = false
  return ({ code, error }) => {
    const failed = code !== ExportResultCode.SUCCESS
    if (failed && !isAway) log.warn({ reason: error?.message }, `${signal} are not taken: see to GATEHOUSE_OTLP_URL`)
    if (!failed && isAway) log.info({}, `${signal} are taken again`)
    isAway = failed
  }
}

/** A collector that takes OTLP over HTTP, as JSON. */
export function createCollector({ url, authorization }: OtlpConfig, log: Log): Collector {
  const headers = authorization === null ? {} : { headers: { authorization } }
  return {
    resource: resourceFromAttributes({
      'service.name': 'gatehouse',
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    connect: (Exporter, signal) => {
      const exporter = new Exporter({ url: `${url}/v1/${signal}`, timeoutMillis: exportMs, ...headers })
      const report = createReporter(signal, log)
      const send = exporter.export.bind(exporter)
      exporter.export = (items, done) =>
        send(items, (result) => {
          report(result)
          done(result)
        })
      return exporter
    },
  }
}
