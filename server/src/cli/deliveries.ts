import { systemActor } from '../core/context.ts'
import { deliveryList } from '../features/deliveries/deliveries.list.ts'
import { retryDelivery, toDeliveries } from '../features/deliveries/deliveries.service.ts'
import { fetchPage } from '../http/lists/page.ts'
import { parseListRequest } from '../http/lists/request.ts'
import type { DeliveryRow } from '../outbox/deliveries.table.ts'
import { releaseHeld } from '../outbox/held.ts'
import { named } from './named.ts'
import { withExisting } from './open.ts'
import { counted, printLine, printRows } from './output.ts'

export interface ListDeliveriesOptions {
  status?: string
  kind?: string
  page: number
  perPage: number
  json?: true
}

/** Lists mail and SMS, newest first. */
export async function listDeliveries(options: ListDeliveriesOptions): Promise<void> {
  await withExisting(async (ctx) => {
    const query = new URLSearchParams({ page: String(options.page), per_page: String(options.perPage) })
    if (options.status !== undefined) query.set('filter[status]', options.status)
    if (options.kind !== undefined) query.set('filter[kind]', options.kind)
    const { rows, total } = await fetchPage<DeliveryRow>(ctx.db, deliveryList, parseListRequest(deliveryList, query))
    const columns = ['id', 'kind', 'template', 'status', 'recipient', 'attempts', 'last_error', 'created_at']
    printRows(
      (await toDeliveries(ctx, systemActor, rows)).map((row) => ({ ...row })),
      columns,
      options.json === true,
    )
    if (!options.json) printLine(`${rows.length} of ${total}`)
  })
}

/** Makes a message due at once; the running service sends it. */
export async function retryDeliveryCommand(id: number): Promise<void> {
  await withExisting(async (ctx) => {
    await named(`message ${id}`, retryDelivery(ctx, systemActor, id))
    printLine(`Message ${id} is due now: a running service sends it within seconds.`)
  })
}

/** Lets go what a restored backup holds. */
export async function releaseDeliveriesCommand(): Promise<void> {
  await withExisting(async ({ unguarded, clock }) => {
    const { messages, webhooks } = await releaseHeld(unguarded, clock().getTime())
    const due = counted(messages, 'message is', 'messages are')
    printLine(`${due} due now, and ${counted(webhooks, 'webhook is', 'webhooks are')} served again.`)
  })
}
