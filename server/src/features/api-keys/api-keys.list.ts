import { isStorable, sortKey } from '../../core/text.ts'
import { byNullableText, byNumber, byText, containsFilter, idFilter, type ListSpec } from '../../http/lists/spec.ts'
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
    last_used_at: byNullableText('last_used_at'),
    expires_at: byNullableText('expires_at'),
  },
  defaultSort: 'id',
  filters: {
    id: { ...idFilter('id'), isUnique: true },
    user_id: idFilter('user_id'),
    search: { ...containsFilter('name_key'), parse: (text) => (isStorable(text) ? sortKey(text) : undefined) },
  },
  includes: {},
} as const satisfies ListSpec<ApiKeyRow>
