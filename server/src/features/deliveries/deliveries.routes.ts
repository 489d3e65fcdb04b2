import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import type { DeliveryRow } from '../../delivery/deliveries.table.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf, HtmlPage } from '../../http/schemas.ts'
import { deliveryList } from './deliveries.list.ts'
import { Delivery } from './deliveries.schemas.ts'
import { getReadableDelivery, readDelivery, retryDelivery, toDeliveries } from './deliveries.service.ts'
import { previewHeaders, toPreview } from './preview.ts'

const mayView = { permission: 'deliveries.view' } as const

export function deliveriesRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/deliveries',
    tag: 'Deliveries',
    operationId: 'listDeliveries',
    summary: 'List mail and SMS',
    description:
      'What was sent, waits, failed, or was captured because no server is configured. The text of a message that holds a link or code is shown only where it was captured, and only if you hold every permission of its recipient.',
    access: mayView,
    list: deliveryList,
    answer: listOf(Delivery),
    handle: (call) =>
      answerList(ctx, deliveryList, call, (rows: readonly DeliveryRow[]) => toDeliveries(ctx, call.actor, rows)),
  })

  addRoute(app, {
    method: 'GET',
    path: '/deliveries/{id}',
    tag: 'Deliveries',
    operationId: 'getDelivery',
    summary: 'Get a mail or SMS',
    access: mayView,
    answer: dataOf(Delivery),
    handle: async ({ actor, id }) => ({ data: await readDelivery(ctx, actor, id) }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/deliveries/{id}/preview',
    tag: 'Deliveries',
    operationId: 'previewDelivery',
    summary: 'Look at a mail',
    description:
      'The mail’s HTML as a page without scripts that loads nothing, to be framed by a page of the same origin; a mail without HTML is shown as text. 404 for an SMS, and where the text is not there to be read.',
    access: mayView,
    answer: HtmlPage,
    handle: async ({ actor, id, reply }) => {
      const page = toPreview(await getReadableDelivery(ctx, actor, id))
      reply.headers(previewHeaders)
      return page
    },
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
    handle: async ({ actor, id }) => ({ data: await retryDelivery(ctx, actor, id) }),
  })
}
