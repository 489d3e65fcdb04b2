import { systemActor } from '../core/context.ts'
import { compileDraft } from '../core/draft.ts'
import type { UserRow } from '../features/accounts/users.table.ts'
import { defaultRoleId } from '../features/roles/roles.table.ts'
import { userList } from '../features/users/users.list.ts'
import { CreateUser } from '../features/users/users.schemas.ts'
import { createUser, toUser } from '../features/users/users.service.ts'
import { fetchPage } from '../http/lists/page.ts'
import { parseListRequest } from '../http/lists/request.ts'
import { roleIdOf } from './find-role.ts'
import { readPassword } from './new-password.ts'
import { withExisting, withNewOrExisting } from './open.ts'
import { printJson, printLine, printRows } from './output.ts'

const readUser = compileDraft(CreateUser)

export interface CreateUserOptions {
  email: string
  role: string
  username?: string
  firstName?: string
  lastName?: string
  passwordStdin?: true
  json?: true
}

/** Creates a user. The password is read from standard input, or generated and printed once. */
export async function createUserCommand(options: CreateUserOptions): Promise<void> {
  const { password, shown } = await readPassword(options)
  const draftFor = (roleId: number) =>
    readUser({
      email: options.email,
      password,
      password_confirmation: password,
      role_id: roleId,
      username: options.username ?? null,
      first_name: options.firstName ?? null,
      last_name: options.lastName ?? null,
    })
  draftFor(defaultRoleId).accept() // before a database begins for a wrong value
  await withNewOrExisting(async (ctx) => {
    const draft = draftFor(await roleIdOf(ctx.db, options.role))
    const user = toUser(await createUser(ctx, systemActor, draft), ctx.config)
    if (options.json) return printJson(shown === '' ? user : { ...user, password })
    printLine(`User ${user.id} is created.${shown}`)
  })
}

export interface ListUsersOptions {
  search?: string
  status?: string
  sort?: string
  page: number
  perPage: number
  json?: true
}

export async function listUsersCommand(options: ListUsersOptions): Promise<void> {
  await withExisting(async (ctx) => {
    const query = new URLSearchParams({ page: String(options.page), per_page: String(options.perPage) })
    if (options.sort !== undefined) query.set('sort', options.sort)
    if (options.search !== undefined) query.set('filter[search]', options.search)
    if (options.status !== undefined) query.set('filter[status]', options.status)
    const { rows, total } = await fetchPage<UserRow>(ctx.db, userList, parseListRequest(userList, query))
    const columns = ['id', 'email', 'username', 'first_name', 'last_name', 'role_id', 'status', 'created_at']
    printRows(
      rows.map((row) => ({ ...toUser(row, ctx.config) })),
      columns,
      options.json === true,
    )
    if (!options.json) printLine(`${rows.length} of ${total}`)
  })
}
