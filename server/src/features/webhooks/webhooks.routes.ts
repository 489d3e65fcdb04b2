import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { parseId } from '../../http/lists/spec.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { attemptScope, readAttempt, replayWebhook, retryAttempt, testWebhook, toAttempt } from './resend.service.ts'
import { attemptList, webhookList } from './webhooks.list.ts'
import {
  CreateWebhook,
  QueuedMessage,
  ReplayWebhook,
  UpdateWebhook,
  Webhook,
  WebhookAttempt,
  WebhookAttemptDetails,
  WebhookReplay,
  WebhookWithSecret,
} from './webhooks.schemas.ts'
import {
  createWebhook,
  deleteWebhook,
  readWebhook,
  rotateWebhook,
  toWebhooks,
  updateWebhook,
} from './webhooks.service.ts'
import type { WebhookAttemptRow, WebhookRow } from './webhooks.table.ts'

const mayManage = { permission: 'webhooks.manage' } as const
const tag = 'Webhooks'

/** The `{attempt}` of the path; throws `not_found`. */
function attemptOf({ params }: FastifyRequest): number {
  const id = parseId((params as { attempt: string }).attempt)
  if (id === undefined) throw errors.not_found()
  return id
}

export function webhooksRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/webhooks',
    tag,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    access: mayManage,
    list: webhookList,
    answer: listOf(Webhook),
    handle: (call) => answerList(ctx, webhookList, call, (rows: readonly WebhookRow[]) => toWebhooks(ctx.db, rows)),
  })

  addRoute(app, {
    method: 'POST',
    path: '/webhooks',
    tag,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'It gets what happens from now on, as Standard Webhooks 1.0. Only this answer contains the secret: copy it.',
    access: mayManage,
    freshProof: true,
    body: CreateWebhook,
    status: 201,
    answer: dataOf(WebhookWithSecret),
    handle: ({ actor, body }) => createWebhook(ctx, actor, body),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/webhooks/{id}',
    tag,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    access: mayManage,
    answer: dataOf(Webhook),
    handle: async ({ id }) => ({ data: await readWebhook(ctx.db, id) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/webhooks/{id}',
    tag,
    operationId: 'updateWebhook',
    summary: 'Change a webhook, or switch it on or off',
    access: mayManage,
    freshProof: true,
    body: UpdateWebhook,
    answer: dataOf(Webhook),
    handle: async ({ actor, id, body }) => ({ data: await updateWebhook(ctx, actor, id, body) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/webhooks/{id}',
    tag,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    access: mayManage,
    freshProof: true,
    answer: 'success',
    handle: ({ actor, id }) => deleteWebhook(ctx, actor, id),
  })

  addRoute(app, {
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    tag,
    operationId: 'rotateWebhook',
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours both secrets sign. Only this answer contains the new one.',
    access: mayManage,
    freshProof: true,
    answer: dataOf(WebhookWithSecret),
    handle: ({ actor, id }) => rotateWebhook(ctx, actor, id),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/webhooks/{id}/test',
    tag,
    operationId: 'testWebhook',
    mayBeRefused: true,
    summary: 'Send a test message',
    description: 'Sends `webhook.tested`, whatever the patterns are.',
    access: mayManage,
    freshProof: true,
    status: 202,
    answer: dataOf(QueuedMessage),
    handle: async ({ actor, id }) => ({ data: { message_id: await testWebhook(ctx, actor, id) } }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/webhooks/{id}/attempts',
    tag,
    operationId: 'listWebhookAttempts',
    summary: 'List the attempts to send to a webhook',
    description: 'Those of the last 30 days, the newest first.',
    access: mayManage,
    list: attemptList,
    answer: listOf(WebhookAttempt),
    handle: async (call) => {
      await readWebhook(ctx.db, call.id)
      const toItems = (rows: readonly WebhookAttemptRow[]) => rows.map(toAttempt(ctx))
      return answerList(ctx, attemptList, call, toItems, attemptScope(call.id))
    },
  })

  addRoute(app, {
    method: 'GET',
    path: '/webhooks/{id}/attempts/{attempt}',
    ids: ['attempt'],
    tag,
    operationId: 'getWebhookAttempt',
    summary: 'Get an attempt with its request',
    access: mayManage,
    answer: dataOf(WebhookAttemptDetails),
    handle: async ({ id, request }) => ({ data: await readAttempt(ctx, id, attemptOf(request)) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/webhooks/{id}/attempts/{attempt}/retry',
    ids: ['attempt'],
    tag,
    operationId: 'retryWebhookAttempt',
    mayBeRefused: true,
    summary: 'Send the message of an attempt again',
    access: mayManage,
    freshProof: true,
    status: 202,
    answer: dataOf(QueuedMessage),
    handle: async ({ actor, id, request }) => ({
      data: { message_id: await retryAttempt(ctx, actor, id, attemptOf(request)) },
    }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    tag,
    operationId: 'replayWebhook',
    mayBeRefused: true,
    summary: 'Send what happened in a time again',
    description: 'Everything that matches, whether it was sent or not, each with its old `webhook-id`.',
    access: mayManage,
    freshProof: true,
    body: ReplayWebhook,
    status: 202,
    answer: dataOf(WebhookReplay),
    handle: async ({ actor, id, body }) => ({ data: { messages: await replayWebhook(ctx, actor, id, body) } }),
  })
}
