import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { createPermission, deletePermission, getPermission, updatePermission } from './permissions.service.ts'
import { permissionList } from './roles.list.ts'
import { CreatePermission, Permission, UpdatePermission } from './roles.schemas.ts'
import { toPermission } from './roles.service.ts'
import type { PermissionRow } from './roles.table.ts'

/** Needed by anyone who assigns permissions to roles. */
const mayRead = { permission: ['permissions.manage', 'roles.manage'] } as const
const mayManage = { permission: 'permissions.manage' } as const

export function permissionsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/permissions',
    tag: 'Permissions',
    operationId: 'listPermissions',
    summary: 'List permissions',
    access: mayRead,
    list: permissionList,
    answer: listOf(Permission),
    handle: (call) => answerList(ctx, permissionList, call, (rows: readonly PermissionRow[]) => rows.map(toPermission)),
  })

  addRoute(app, {
    method: 'POST',
    path: '/permissions',
    tag: 'Permissions',
    operationId: 'createPermission',
    summary: 'Create a permission of your own',
    access: mayManage,
    body: CreatePermission,
    status: 201,
    answer: dataOf(Permission),
    handle: ({ actor, body }) => createPermission(ctx, actor, body),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/permissions/{id}',
    tag: 'Permissions',
    operationId: 'getPermission',
    summary: 'Get a permission',
    access: mayRead,
    answer: dataOf(Permission),
    handle: async ({ id }) => ({ data: await getPermission(ctx.db, id) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/permissions/{id}',
    tag: 'Permissions',
    operationId: 'updatePermission',
    summary: 'Update a permission',
    access: mayManage,
    body: UpdatePermission,
    answer: dataOf(Permission),
    handle: async ({ actor, id, body }) => ({ data: await updatePermission(ctx, actor, id, body) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/permissions/{id}',
    tag: 'Permissions',
    operationId: 'deletePermission',
    summary: 'Delete a permission',
    description: 'It is removed from all roles.',
    access: mayManage,
    answer: 'success',
    handle: ({ actor, id }) => deletePermission(ctx, actor, id),
  })
}
