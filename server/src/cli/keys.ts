import { systemActor } from '../core/context.ts'
import { compileDraft } from '../core/draft.ts'
import { apiKeyList } from '../features/api-keys/api-keys.list.ts'
import { CreateApiKey } from '../features/api-keys/api-keys.schemas.ts'
import { createApiKey, revokeApiKey, toApiKey } from '../features/api-keys/api-keys.service.ts'
import type { ApiKeyRow } from '../features/api-keys/api-keys.table.ts'
import { fetchPage } from '../http/lists/page.ts'
import { parseListRequest } from '../http/lists/request.ts'
import { findUserByName } from './find-user.ts'
import { named } from './named.ts'
import { withExisting } from './open.ts'
import { printJson, printLine, printRows } from './output.ts'

const readKey = compileDraft(CreateApiKey)

export interface CreateKeyOptions {
  user: string
  name: string
  permissions?: string
  expires?: string
  json?: true
}

/** Issues a key for a user, named by id, email address or username. */
export async function createKey(options: CreateKeyOptions): Promise<void> {
  await withExisting(async (ctx) => {
    const owner = await findUserByName(ctx.db, options.user)
    const draft = readKey({
      name: options.name,
      ...(options.permissions === undefined
        ? {}
        : { permissions: options.permissions.split(',').map((name) => name.trim()) }),
      ...(options.expires === undefined ? {} : { expires_at: options.expires }),
    })
    const key = await createApiKey(ctx, systemActor, owner.id, draft)
    if (options.json) printJson(key)
    else printLine(key.key)
  })
}

export async function listKeys(options: { user?: string; json?: true }): Promise<void> {
  await withExisting(async (ctx) => {
    const query = new URLSearchParams({ per_page: '100' })
    if (options.user !== undefined)
      query.set('filter[user_id]', String((await findUserByName(ctx.db, options.user)).id))
    const rows: ApiKeyRow[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      query.set('cursor', cursor)
      const page = await fetchPage<ApiKeyRow>(ctx.db, apiKeyList, parseListRequest(apiKeyList, query))
      rows.push(...page.rows)
      cursor = page.nextCursor
    }
    const columns = ['id', 'user_id', 'name', 'permissions', 'expires_at', 'last_used_at', 'created_at']
    printRows(rows.map(toApiKey), columns, options.json === true)
  })
}

export async function revokeKey(id: number): Promise<void> {
  await withExisting(async (ctx) => {
    await named(`API key ${id}`, revokeApiKey(ctx, systemActor, id))
    printLine(`API key ${id} is revoked.`)
  })
}
