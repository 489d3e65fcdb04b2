import { byNumber, byText, idFilter, type ListSpec } from '../../http/lists/spec.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

export const apiKeyList = {
  table: 'api_keys',
  columns: [
    ...['id', 'user_id', 'name', 'name_key', 'prefix', 'permissions'],
    ...['expires_at', 'last_used_at', 'created_at', 'updated_at'],
  ],
  sorts: {
    id: byNumber('id'),
    name: byText('name_key'),
    created_at: byText('created_at'),
    updated_at: byText('updated_at'),
  },
  defaultSort: 'id',
  filters: { user_id: idFilter('user_id') },
  includes: {},
} as const satisfies ListSpec<ApiKeyRow>
