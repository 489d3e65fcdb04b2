import { systemActor } from '../core/context.ts'
import { deliveryList } from '../features/deliveries/deliveries.list.ts'
import { retryDelivery, toDeliveries } from '../features/deliveries/deliveries.service.ts'
import { fetchPage } from '../http/lists/page.ts'
import { parseListRequest } from '../http/lists/request.ts'
import type { DeliveryRow } from '../outbox/deliveries.table.ts'
import { releaseHeld } from '../outbox/held.ts'
import { withContext } from './open.ts'
import { printRows } from './output.ts'

export interface ListDeliveriesOptions {
  status?: string
  kind?: string
  page: string
  perPage: string
  json?: true
}

/** Lists mail and SMS, newest first. */
export async function listDeliveries(options: ListDeliveriesOptions): Promise<void> {
  await withContext(async (ctx) => {
    const query = new URLSearchParams({ page: options.page, per_page: options.perPage })
    if (options.status !== undefined) query.set('filter[status]', options.status)
    if (options.kind !== undefined) query.set('filter[kind]', options.kind)
    const { rows, total } = await fetchPage<DeliveryRow>(ctx.db, deliveryList, parseListRequest(deliveryList, query))
    const columns = ['id', 'kind', 'template', 'status', 'recipient', 'attempts', 'last_error', 'created_at']
    printRows(
      (await toDeliveries(ctx, systemActor, rows)).map((row) => ({ ...row })),
      columns,
      options.json === true,
    )
    if (!options.json) process.stdout.write(`${rows.length} of ${total}\n`)
  })
}

/** Makes a message due at once; the running service sends it. */
export async function retryDeliveryCommand(id: number): Promise<void> {
  await withContext(async (ctx) => {
    await retryDelivery(ctx, systemActor, id)
    process.stdout.write(`Message ${id} is due now: a running service sends it within seconds.\n`)
  })
}

/** Lets go what a restored backup holds. */
export async function releaseDeliveriesCommand(): Promise<void> {
  await withContext(async ({ unguarded, clock }) => {
    const { messages, webhooks } = await releaseHeld(unguarded, clock().getTime())
    process.stdout.write(`${messages} messages are due now, and ${webhooks} webhooks are served again.\n`)
  })
}
