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

/** Sends traces to a collector. Where none is configured it is undefined, and nothing of it is loaded. */
export interface Tracing {
  /** Begins the span of a request, within the caller's trace if its headers name one. */
  readonly beginRequest: (name: string, headers: Readonly<Record<string, unknown>>) => Span
  /** Begins a trace with a call of another service. */
  readonly beginCall: (name: string, attributes: SpanAttributes) => Span
  /** Runs `work` as a step of the current span; outside of one it is not recorded. */
  readonly step: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Sends what is left. */
  readonly stop: () => Promise<void>
}
