import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { allOf, dataOf } from '../../http/schemas.ts'
import { Session } from './sessions.schemas.ts'
import { endAllSessions, endSession, getSession, listUserSessions } from './sessions.service.ts'

const anybody = { permission: anyCredential } as const
const mayManage = { permission: 'users.manage' } as const

export function sessionsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/users/{id}/sessions',
    tag: 'Sessions',
    operationId: 'listUserSessions',
    summary: "List a user's sessions",
    description: 'Lists the live sessions, newest activity first.',
    access: mayManage,
    answer: allOf(Session),
    handle: async ({ actor, id }) => ({ data: await listUserSessions(ctx, actor, id) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/users/{id}/sessions',
    tag: 'Sessions',
    operationId: 'endUserSessions',
    summary: "End all of a user's sessions",
    access: mayManage,
    answer: 'success',
    handle: ({ actor, id }) => endAllSessions(ctx, actor, id),
  })

  addRoute(app, {
    method: 'GET',
    path: '/sessions/{session}',
    tag: 'Sessions',
    operationId: 'getSession',
    summary: 'Get a session',
    description: 'Your own session, or with `users.manage` any session.',
    access: anybody,
    answer: dataOf(Session),
    handle: async ({ actor, request }) => ({ data: await getSession(ctx, actor, sessionOf(request.params)) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/sessions/{session}',
    tag: 'Sessions',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Your own session, or with `users.manage` any session.',
    access: anybody,
    answer: 'success',
    handle: ({ actor, request }) => endSession(ctx, actor, sessionOf(request.params)),
  })
}

const sessionOf = (params: unknown): string => (params as { session: string }).session
