import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { apiKeyList } from './api-keys.list.ts'
import { ApiKey, CreateApiKey, IssuedApiKey, UpdateApiKey } from './api-keys.schemas.ts'
import { createApiKey, getApiKey, revokeApiKey, rotateApiKey, toApiKey, updateApiKey } from './api-keys.service.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

const mayManage = { permission: 'api-keys.manage' } as const

export function apiKeysRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/api-keys',
    tag: 'API keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Lists the keys of all users; the secrets are never shown again.',
    access: mayManage,
    list: apiKeyList,
    answer: listOf(ApiKey),
    handle: (call) => answerList(ctx, apiKeyList, call, (rows: readonly ApiKeyRow[]) => rows.map(toApiKey)),
  })

  addRoute(app, {
    method: 'POST',
    path: '/api-keys',
    tag: 'API keys',
    operationId: 'createApiKey',
    summary: 'Issue an API key for yourself',
    description: 'Only this answer contains the key: copy it.',
    access: mayManage,
    freshProof: true,
    body: CreateApiKey,
    status: 201,
    answer: dataOf(IssuedApiKey),
    handle: ({ actor, body }) => createApiKey(ctx, actor, actor.userId ?? 0, body),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/api-keys/{id}',
    tag: 'API keys',
    operationId: 'getApiKey',
    summary: 'Get an API key',
    access: mayManage,
    answer: dataOf(ApiKey),
    handle: async ({ id }) => ({ data: await getApiKey(ctx.db, id) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/api-keys/{id}',
    tag: 'API keys',
    operationId: 'updateApiKey',
    summary: 'Change the name, expiry or scope of an API key',
    access: mayManage,
    body: UpdateApiKey,
    answer: dataOf(ApiKey),
    handle: async ({ actor, id, body }) => ({ data: await updateApiKey(ctx, actor, id, body) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    tag: 'API keys',
    operationId: 'rotateApiKey',
    summary: 'Rotate the secret of your API key',
    description: 'The old secret stops working at once. Only this answer contains the new one. An expired key is 422.',
    access: mayManage,
    freshProof: true,
    answer: dataOf(IssuedApiKey),
    handle: ({ actor, id }) => rotateApiKey(ctx, actor, id),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/api-keys/{id}',
    tag: 'API keys',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'From the next request on, the key is answered with 401.',
    access: mayManage,
    answer: 'success',
    handle: ({ actor, id }) => revokeApiKey(ctx, actor, id),
  })
}
