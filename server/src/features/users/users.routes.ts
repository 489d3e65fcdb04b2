import type { FastifyInstance } from 'fastify'
import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerListAsJson } from '../../http/lists/list.ts'
import { answerOneAsJson } from '../../http/lists/one.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import type { ShownUser, UserRow } from '../accounts/users.table.ts'
import { shownFields, userIncludes, userJson, userList } from './users.list.ts'
import { CreateUser, UpdateUser, User } from './users.schemas.ts'
import { createUser, deleteUser, findShownUser, jsonFinder, toUser, updateUser } from './users.service.ts'

const mayManage = { permission: 'users.manage' } as const

/** Changes the account of the caller. */
type UpdateOwnAccount = (ctx: Context, actor: Actor, draft: Draft<UpdateUser>) => Promise<UserRow>

/** The rules of `/me` also hold for the caller's own account on this path: see `updateOwnAccount`. */
export function usersRoutes(app: FastifyInstance, ctx: Context, updateOwnAccount: UpdateOwnAccount): void {
  const asJson = { ...userList, json: userJson(shownFields, ctx.config) }
  const findJson = jsonFinder(ctx)
  const toUsers = (rows: readonly ShownUser[]) => rows.map((row) => toUser(row, ctx.config))

  addRoute(app, {
    method: 'GET',
    path: '/users',
    tag: 'Users',
    operationId: 'listUsers',
    summary: 'Paginate users',
    access: mayManage,
    list: userList,
    answer: listOf(User),
    handle: (call) => answerListAsJson(ctx, userList, asJson, call, toUsers),
  })

  addRoute(app, {
    method: 'POST',
    path: '/users',
    tag: 'Users',
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'The new account is Active at once.',
    access: mayManage,
    body: CreateUser,
    status: 201,
    answer: dataOf(User),
    handle: ({ actor, body }) => createUser(ctx, actor, body),
    toAnswer: (user) => ({ data: toUser(user, ctx.config) }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/users/{id}',
    tag: 'Users',
    operationId: 'getUser',
    summary: 'Get a user',
    access: mayManage,
    includes: userIncludes,
    answer: dataOf(User),
    handle: (call) =>
      answerOneAsJson(
        ctx,
        userIncludes,
        call,
        findJson && (() => findJson(call.id)),
        () => findShownUser(ctx.db, call.id),
        (row) => toUser(row, ctx.config),
      ),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/users/{id}',
    tag: 'Users',
    operationId: 'updateUser',
    summary: 'Update a user',
    description:
      'Fields that are not sent stay unchanged. A ban permanently revokes all of the user’s keys. On your own account a new password, email address or username needs `current_password`, and a new address takes effect when the link sent to it is opened.',
    access: mayManage,
    body: UpdateUser,
    answer: dataOf(User),
    handle: async ({ actor, id, body }) => {
      const row =
        id === actor.userId ? await updateOwnAccount(ctx, actor, body) : await updateUser(ctx, actor, id, body)
      return { data: toUser(row, ctx.config) }
    },
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/users/{id}',
    tag: 'Users',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    access: mayManage,
    answer: 'success',
    handle: ({ actor, id }) => deleteUser(ctx, actor, id),
  })
}
