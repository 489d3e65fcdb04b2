import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { ownId } from '../../core/own-id.ts'
import { anyCredential } from '../../http/credentials.ts'
import { answerOneAsJson } from '../../http/lists/one.ts'
import { addRoute } from '../../http/route.ts'
import { allOf, dataOf } from '../../http/schemas.ts'
import { permissionNames } from '../roles/roles.service.ts'
import { Session } from '../sessions/sessions.schemas.ts'
import { endAllSessions, listSessions } from '../sessions/sessions.service.ts'
import { userIncludes } from '../users/users.list.ts'
import { User } from '../users/users.schemas.ts'
import { findShownUser, jsonFinder, toUser } from '../users/users.service.ts'
import { PermissionName, UpdateOwnDetails, UpdateOwnSignIn } from './me.schemas.ts'
import { updateOwnDetails, updateOwnSignIn } from './me.service.ts'
import { maxPreferencesBytes, Preferences } from './preferences.schemas.ts'
import { readPreferences, writePreferences } from './preferences.service.ts'

const access = { permission: anyCredential } as const

export function meRoutes(app: FastifyInstance, ctx: Context): void {
  const findJson = jsonFinder(ctx)
  addRoute(app, {
    method: 'GET',
    path: '/me',
    tag: 'Me',
    operationId: 'getMe',
    summary: 'Get the current user',
    access,
    includes: userIncludes,
    answer: dataOf(User),
    handle: (call) =>
      answerOneAsJson(
        ctx,
        userIncludes,
        call,
        findJson && (() => findJson(ownId(call.actor))),
        () => findShownUser(ctx.db, ownId(call.actor)),
        (row) => toUser(row, ctx.config),
      ),
  })

  addRoute(app, {
    method: 'GET',
    path: '/me/permissions',
    tag: 'Me',
    operationId: 'getMyPermissions',
    summary: 'List the permissions of the credential',
    description: 'Sorted names of permissions: those of your role, limited by the API key’s scope.',
    access,
    answer: allOf(PermissionName),
    handle: async ({ actor }) => ({ data: await permissionNames(ctx.db, actor.permissions) }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/me/preferences',
    tag: 'Me',
    operationId: 'getMyPreferences',
    summary: 'Get your page preferences',
    access,
    answer: dataOf(Preferences),
    handle: async ({ actor }) => ({ data: await readPreferences(ctx, actor) }),
  })

  addRoute(app, {
    method: 'PUT',
    path: '/me/preferences',
    tag: 'Me',
    operationId: 'setMyPreferences',
    summary: 'Set your page preferences',
    description: 'Replaces all preferences; at most 16 KiB.',
    access,
    body: Preferences,
    maxBodyBytes: maxPreferencesBytes,
    answer: dataOf(Preferences),
    handle: async ({ actor, body }) => ({ data: await writePreferences(ctx, actor, body) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/me/details',
    tag: 'Me',
    operationId: 'updateMyDetails',
    summary: 'Change your profile',
    access,
    body: UpdateOwnDetails,
    answer: dataOf(User),
    handle: async ({ actor, body }) => ({ data: toUser(await updateOwnDetails(ctx, actor, body), ctx.config) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/me/details/auth',
    tag: 'Me',
    operationId: 'updateMySignIn',
    summary: 'Change your email address, username or password',
    description: 'A new email address takes effect when the link sent to it is opened.',
    access,
    body: UpdateOwnSignIn,
    answer: dataOf(User),
    handle: async ({ actor, body }) => ({ data: toUser(await updateOwnSignIn(ctx, actor, body), ctx.config) }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/me/sessions',
    tag: 'Me',
    operationId: 'listMySessions',
    summary: 'List your sessions',
    access,
    answer: allOf(Session),
    handle: async ({ actor }) => ({ data: await listSessions(ctx, actor, ownId(actor)) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/me/sessions',
    tag: 'Me',
    operationId: 'endMySessions',
    summary: 'End all of your sessions',
    access,
    answer: 'success',
    handle: ({ actor }) => endAllSessions(ctx, actor, ownId(actor)),
  })
}
