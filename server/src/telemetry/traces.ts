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
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Span, Telemetry } from '../core/telemetry.ts'
import { version } from '../version.ts'
import { type Collector, exportMs } from './collector.ts'

/** The part of telemetry that sends spans in batches. */
export function createTraces(collector: Collector): Omit<Telemetry, 'sendMetrics'> {
  const exporter = collector.connect(OTLPTraceExporter, 'traces')
  const provider = new TracerProvider({
    resource: collector.resource,
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportMs })],
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
