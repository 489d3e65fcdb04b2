import type { Config } from '../config.ts'
import type { Log } from '../core/context.ts'
import type { Telemetry } from '../core/telemetry.ts'

/** OpenTelemetry is loaded here, and only where a collector is configured. */
export async function openTelemetry({ otlp }: Pick<Config, 'otlp'>, log: Log): Promise<Telemetry | undefined> {
  return otlp === null ? undefined : (await import('./otlp.ts')).createTelemetry(otlp, log)
}
