import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/WebhookOutlined'
import { WebhookCreate } from './WebhookCreate.tsx'
import { WebhookEdit } from './WebhookEdit.tsx'
import { WebhookList } from './WebhookList.tsx'

/** Where events are sent to. */
export const webhooks: ConsoleResource = {
  name: 'webhooks',
  label: 'Webhooks',
  icon: Icon,
  group: 'system',
  list: WebhookList,
  edit: WebhookEdit,
  create: WebhookCreate,
  recordRepresentation: 'url',
  permission: { read: 'webhooks.manage', write: 'webhooks.manage' },
}
