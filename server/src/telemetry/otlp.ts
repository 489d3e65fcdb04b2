import type { OtlpConfig } from '../config.ts'
import type { Log } from '../core/context.ts'
import type { Telemetry } from '../core/telemetry.ts'
import { createCollector } from './collector.ts'
import { createMetricSender } from './metrics.ts'
import { createTraces } from './traces.ts'

/** Sends traces and metrics to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export function createTelemetry(config: OtlpConfig, log: Log): Telemetry {
  const collector = createCollector(config, log)
  return { ...createTraces(collector), sendMetrics: createMetricSender(collector) }
}
