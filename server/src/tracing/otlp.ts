import { AsyncLocalStorage } from 'node:async_hooks'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { OtlpConfig } from '../config.ts'
import type { Log } from '../core/context.ts'
import type { Span, Tracing } from '../core/tracing.ts'
import { version } from '../version.ts'

/** How long one delivery to the collector may take, and so the end of the process at most. */
const exportMs = 5_000

/** Logs when the collector stops and starts taking spans: not every time, and without its URL. */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !isAway)
          log.warn({ reason: result.error?.message }, 'traces are not taken: see to GATEHOUSE_OTLP_URL')
        if (!failed && isAway) log.info({}, 'traces are taken again')
        isAway = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** Sends spans in batches to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export function createTracing({ url, authorization }: OtlpConfig, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    timeoutMillis: exportMs,
    ...(authorization === null ? {} : { headers: { authorization } }),
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, log), exportTimeoutMillis: exportMs })],
  })
  const tracer = provider.getTracer('gatehouse', version)
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<OtelSpan>()

  const toSpan = (span: OtelSpan): Span => ({
    run: (work) => current.run(span, work),
    headers: () => {
      const headers: Record<string, string> = {}
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
      return headers
    },
    note: (attributes) => void span.setAttributes(attributes),
    end: (isFailed) => {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  })

  return {
    beginRequest: (name, headers) => {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      return toSpan(tracer.startSpan(name, { kind: SpanKind.SERVER }, parent))
    },
    beginCall: (name, attributes) =>
      toSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT)),
    step: async (name, work) => {
      const parent = current.getStore()
      // Background work that a request has woken still runs in its context when the request is over.
      if (parent?.isRecording() !== true) return work()
      const span = toSpan(tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent)))
      let isFailed = true
      try {
        const result = await span.run(work)
        isFailed = false
        return result
      } finally {
        span.end(isFailed)
      }
    },
    stop: () => provider.shutdown().catch(() => {}), // a collector that is away has been logged
  }
}
