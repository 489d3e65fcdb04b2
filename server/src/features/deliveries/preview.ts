import { errors } from '../../core/errors.ts'
import type { DeliveryRow } from '../../outbox/deliveries.table.ts'
import { escapeHtml } from '../../outbox/merge.ts'

/** The CSP for showing a mail's HTML: styles only. No script, no form, no request to any server. Only our own pages may frame it. */
export const previewHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  // The general policy does not allow a sandboxed page to be framed.
  'cross-origin-opener-policy': 'unsafe-none',
}

/** A mail as a page; throws `not_found` for an SMS, and if the text is not available. */
export function toPreview(row: DeliveryRow): string {
  if (row.kind !== 'mail') throw errors.not_found()
  if (row.body_html !== null) return row.body_html
  if (row.body_text === null) throw errors.not_found()
  const style = 'white-space: pre-wrap; overflow-wrap: anywhere'
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(row.subject ?? '')}</title><pre style="${style}">${escapeHtml(row.body_text)}</pre>`
}
