import type { Config } from '../config.ts'
import type { Log } from '../core/context.ts'
import type { Tracing } from '../core/tracing.ts'

/** OpenTelemetry is loaded here, and only where a collector is configured. */
export async function openTracing({ otlp }: Pick<Config, 'otlp'>, log: Log): Promise<Tracing | undefined> {
  return otlp === null ? undefined : (await import('./otlp.ts')).createTracing(otlp, log)
}
