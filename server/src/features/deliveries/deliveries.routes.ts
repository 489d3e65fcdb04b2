import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf, HtmlPage } from '../../http/schemas.ts'
import type { DeliveryRow } from '../../outbox/deliveries.table.ts'
import { deliveryList } from './deliveries.list.ts'
import { Delivery } from './deliveries.schemas.ts'
import { getReadableDelivery, readDelivery, retryDelivery, toDeliveries } from './deliveries.service.ts'
import { previewHeaders, toPreview } from './preview.ts'
import { sendTestMail } from './test-mail.service.ts'

const mayView = { permission: 'deliveries.view' } as const

export function deliveriesRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/deliveries',
    tag: 'Deliveries',
    operationId: 'listDeliveries',
    summary: 'List mail and SMS',
    description:
      'Messages that were sent, are queued, failed, or were captured because no server is configured. If a message contains a link or code, its text is shown only if it is captured (or waits to be) and you hold every permission of its recipient.',
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
    summary: 'Preview a mail',
    description:
      'The mail’s HTML as a page without scripts that loads nothing, to be framed by a page of the same origin; a mail without HTML is shown as text. 404 for an SMS, and if the text is not available.',
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
    path: '/deliveries/test',
    tag: 'Deliveries',
    operationId: 'sendTestMail',
    summary: 'Send a test mail to yourself',
    description:
      'It goes to the address of your account through the configured mail server; the delivery tells whether that took it.',
    access: { permission: 'settings.notifications' },
    answer: dataOf(Delivery),
    handle: async ({ actor }) => ({ data: await sendTestMail(ctx, actor) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/deliveries/{id}/retry',
    tag: 'Deliveries',
    operationId: 'retryDelivery',
    mayBeRefused: true,
    summary: 'Resend a message at once',
    description: 'For a failed message whose text is still stored, or a queued one; 422 for any other.',
    access: mayView,
    answer: dataOf(Delivery),
    handle: async ({ actor, id }) => ({ data: await retryDelivery(ctx, actor, id) }),
  })
}
