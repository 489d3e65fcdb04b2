import type { Telemetry } from '../core/telemetry.ts'
import type { DeliveryKind } from '../outbox/deliveries.table.ts'
import type { Transport } from '../outbox/message.ts'
import type { GuardedPoster } from './guarded-post.ts'

/** Records each message that is handed over: its kind and template, and neither its recipient nor its words. */
function traceTransport(transport: Transport, telemetry: Telemetry): Transport {
  return {
    ...transport,
    send: async (message) => {
      const { kind, template } = message
      const attributes = { 'gatehouse.message.kind': kind, 'gatehouse.message.template': template }
      const span = telemetry.beginCall(`send ${kind}`, attributes)
      let isFailed = true
      try {
        const status = await span.run(() => transport.send(message))
        isFailed = false
        return status
      } finally {
        span.end(isFailed)
      }
    },
  }
}

export function traceTransports(
  transports: Record<DeliveryKind, Transport>,
  telemetry: Telemetry | undefined,
): Record<DeliveryKind, Transport> {
  if (telemetry === undefined) return transports
  return { mail: traceTransport(transports.mail, telemetry), sms: traceTransport(transports.sms, telemetry) }
}

/** Records each webhook that is sent, by host alone: the path may contain a secret. The receiver is told the trace. */
export function tracePoster(poster: GuardedPoster, telemetry: Telemetry | undefined): GuardedPoster {
  if (telemetry === undefined) return poster
  return {
    ...poster,
    post: async (url, headers, body) => {
      const host = URL.parse(url)?.hostname ?? ''
      const span = telemetry.beginCall('send webhook', { 'http.request.method': 'POST', 'server.address': host })
      const posted = await span.run(() => poster.post(url, { ...headers, ...span.headers() }, body))
      if (posted.status !== null) span.note({ 'http.response.status_code': posted.status })
      span.end(posted.status === null || posted.status >= 400)
      return posted
    },
  }
}
