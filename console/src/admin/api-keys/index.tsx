import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/VpnKeyOutlined'
import { ApiKeyCreate } from './ApiKeyCreate.tsx'
import { ApiKeyEdit } from './ApiKeyEdit.tsx'
import { ApiKeyList } from './ApiKeyList.tsx'

/** Keys that programs use the API with. */
export const apiKeys: ConsoleResource = {
  name: 'api-keys',
  label: 'API keys',
  icon: Icon,
  group: 'access',
  list: ApiKeyList,
  edit: ApiKeyEdit,
  create: ApiKeyCreate,
  recordRepresentation: 'name',
  permission: { read: 'api-keys.manage', write: 'api-keys.manage' },
}
