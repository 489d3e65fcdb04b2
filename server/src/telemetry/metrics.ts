import { type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'
import type { Telemetry } from '../core/telemetry.ts'
import { version } from '../version.ts'
import { type Collector, exportMs } from './collector.ts'

/** OpenTelemetry's own default (`OTEL_METRIC_EXPORT_INTERVAL`). */
const everyMs = 60_000

type Metric = MetricObjectWithValues<MetricValueWithName<string>>
type Interval = Pick<DataPoint<never>, 'startTime' | 'endTime'>

/** The points of a histogram: Prometheus counts what is at most a bound, OTLP what is between two. */
function histogramPoints({ name, values }: Metric, interval: Interval): DataPoint<Histogram>[] {
  const points = new Map<
    string,
    { attributes: Record<string, string | number>; bounds: [number, number][]; sum: number }
  >()
  for (const { metricName, labels, value } of values) {
    const { le, ...attributes } = labels as Record<string, string | number>
    const key = JSON.stringify(attributes)
    const point = points.get(key) ?? { attributes, bounds: [], sum: 0 }
    points.set(key, point)
    if (metricName === `${name}_bucket`) point.bounds.push([Number(String(le).replace('+Inf', 'Infinity')), value])
    if (metricName === `${name}_sum`) point.sum = value
  }
  return [...points.values()].map(({ attributes, bounds, sum }) => {
    bounds.sort(([a], [b]) => a - b)
    const counts = bounds.map(([, atMost], index) => atMost - (bounds[index - 1]?.[1] ?? 0))
    const boundaries = bounds.map(([bound]) => bound).filter(Number.isFinite)
    return { ...interval, attributes, value: { buckets: { boundaries, counts }, sum, count: bounds.at(-1)?.[1] ?? 0 } }
  })
}

/** A metric of Prometheus under its own name, so that the same dashboards and alerts fit. There are no summaries here. */
function toMetricData(metric: Metric, interval: Interval): MetricData {
  const shared = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (String(metric.type) === 'histogram')
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, interval) }
  const dataPoints = metric.values.map(({ labels, value }) => ({ ...interval, attributes: { ...labels }, value }))
  return String(metric.type) === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
}

function producerOf(registry: Registry, { resource }: Collector): MetricProducer {
  const startTime: HrTime = millisToHrTime(Date.now())
  return {
    collect: async () => {
      const interval = { startTime, endTime: millisToHrTime(Date.now()) }
      const metrics = (await registry.getMetricsAsJSON()) as Metric[]
      const scope = { name: 'gatehouse', version }
      const scopeMetrics = [{ scope, metrics: metrics.map((metric) => toMetricData(metric, interval)) }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

/** Sends the metrics of this process, the same as at `/metrics`; other processes send their own. */
export function createMetricSender(collector: Collector): Telemetry['sendMetrics'] {
  return (registry) => {
    const reader = new PeriodicExportingMetricReader({
      exporter: collector.connect(OTLPMetricExporter, 'metrics'),
      exportIntervalMillis: everyMs,
      exportTimeoutMillis: exportMs,
      metricProducers: [producerOf(registry, collector)],
    })
    const provider = new MeterProvider({ resource: collector.resource, readers: [reader] })
    return () => provider.shutdown({ timeoutMillis: exportMs }).catch(() => {}) // a collector that is away has been logged
  }
}
