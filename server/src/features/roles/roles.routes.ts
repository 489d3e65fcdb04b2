import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { answerOne } from '../../http/lists/one.ts'
import { addRoute } from '../../http/route.ts'
import { allOf, dataOf } from '../../http/schemas.ts'
import { setRolePermissions } from './role-permissions.service.ts'
import { roleIncludes, roleList } from './roles.list.ts'
import { CreateRole, Permission, Role, SetRolePermissions, UpdateRole } from './roles.schemas.ts'
import { createRole, deleteRole, getRole, getRolePermissions, toRoles, updateRole } from './roles.service.ts'
import type { RoleRow } from './roles.table.ts'

/** Needed by anyone who assigns roles to users. */
const mayRead = { permission: ['roles.manage', 'users.manage'] } as const
const mayManage = { permission: 'roles.manage' } as const

export function rolesRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/roles',
    tag: 'Roles',
    operationId: 'listRoles',
    summary: 'List roles',
    access: mayRead,
    list: roleList,
    answer: listOf(Role),
    handle: (call) => answerList(ctx, roleList, call, (rows: readonly RoleRow[]) => toRoles(ctx.db, rows)),
  })

  addRoute(app, {
    method: 'POST',
    path: '/roles',
    tag: 'Roles',
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'A new role has no permissions.',
    access: mayManage,
    body: CreateRole,
    status: 201,
    answer: dataOf(Role),
    handle: ({ actor, body }) => createRole(ctx, actor, body),
    toAnswer: (data) => ({ data }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/roles/{id}',
    tag: 'Roles',
    operationId: 'getRole',
    summary: 'Get a role',
    access: mayRead,
    includes: roleIncludes,
    answer: dataOf(Role),
    handle: (call) =>
      answerOne(
        ctx,
        roleIncludes,
        call,
        () => getRole(ctx.db, call.id),
        (role) => role,
      ),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/roles/{id}',
    tag: 'Roles',
    operationId: 'updateRole',
    summary: 'Update a role',
    access: mayManage,
    body: UpdateRole,
    answer: dataOf(Role),
    handle: async ({ actor, id, body }) => ({ data: await updateRole(ctx, actor, id, body) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/roles/{id}',
    tag: 'Roles',
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description:
      'Its users get the default role `User`. So do those who register from now on, if it was theirs; a `User` with administrator permissions is refused then.',
    mayBeRefused: true,
    access: mayManage,
    answer: 'success',
    handle: ({ actor, id }) => deleteRole(ctx, actor, id),
  })

  addRoute(app, {
    method: 'GET',
    path: '/roles/{id}/permissions',
    tag: 'Roles',
    operationId: 'getRolePermissions',
    summary: "List a role's permissions",
    access: mayRead,
    answer: allOf(Permission),
    handle: async ({ id }) => ({ data: await getRolePermissions(ctx.db, id) }),
  })

  addRoute(app, {
    method: 'PUT',
    path: '/roles/{id}/permissions',
    tag: 'Roles',
    operationId: 'setRolePermissions',
    summary: "Set a role's permissions",
    description: 'Replaces the role’s permissions from the next request on.',
    access: mayManage,
    body: SetRolePermissions,
    answer: allOf(Permission),
    handle: async ({ actor, id, body }) => ({ data: await setRolePermissions(ctx, actor, id, body) }),
  })
}
