import type { Registry } from 'prom-client'

/** What is recorded of a span: never a secret, an address of a person, a query or a body. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** A step that is under way. */
export interface Span {
  /** Runs `work`, so that what it begins is part of this span. */
  readonly run: <T>(work: () => T) => T
  /** The headers that continue the trace at another service (W3C Trace Context). */
  readonly headers: () => Record<string, string>
  readonly note: (attributes: SpanAttributes) => void
  readonly end: (isFailed: boolean) => void
}

/** Sends traces and metrics to a collector. Where none is configured it is undefined, and nothing of it is loaded. */
export interface Telemetry {
  /** Begins the span of a request, within the caller's trace if its headers name one. */
  readonly beginRequest: (name: string, headers: Readonly<Record<string, unknown>>) => Span
  /** Begins a trace with a call of another service. */
  readonly beginCall: (name: string, attributes: SpanAttributes) => Span
  /** Runs `work` as a step of the current span; outside of one it is not recorded. */
  readonly step: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Sends these metrics from now on; the result sends them a last time and ends it. */
  readonly sendMetrics: (registry: Registry) => () => Promise<void>
  /** Sends the spans that are left. */
  readonly stop: () => Promise<void>
}
