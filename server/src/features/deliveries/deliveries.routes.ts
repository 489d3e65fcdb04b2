import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import type { DeliveryRow } from '../../delivery/deliveries.table.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { deliveryList } from './deliveries.list.ts'
import { Delivery } from './deliveries.schemas.ts'
import { getDelivery, retryDelivery, toDelivery } from './deliveries.service.ts'

const mayView = { permission: 'deliveries.view' } as const

export function deliveriesRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/deliveries',
    tag: 'Deliveries',
    operationId: 'listDeliveries',
    summary: 'List mail and SMS',
    description: 'What was sent, waits, failed, or was captured because no server is configured.',
    access: mayView,
    list: deliveryList,
    answer: listOf(Delivery),
    handle: (call) => answerList(ctx, deliveryList, call, (rows: readonly DeliveryRow[]) => rows.map(toDelivery)),
  })

  addRoute(app, {
    method: 'GET',
    path: '/deliveries/{id}',
    tag: 'Deliveries',
    operationId: 'getDelivery',
    summary: 'Get a mail or SMS',
    access: mayView,
    answer: dataOf(Delivery),
    handle: async ({ id }) => ({ data: toDelivery(await getDelivery(ctx.db, id)) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/deliveries/{id}/retry',
    tag: 'Deliveries',
    operationId: 'retryDelivery',
    mayBeRefused: true,
    summary: 'Send a message again at once',
    description: 'One that failed and still has its text, or one that is queued; 422 for any other.',
    access: mayView,
    answer: dataOf(Delivery),
    handle: async ({ actor, id }) => ({ data: toDelivery(await retryDelivery(ctx, actor, id)) }),
  })
}
