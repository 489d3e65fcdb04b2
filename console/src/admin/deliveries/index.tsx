import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/MailOutlined'
import { DeliveryList } from './DeliveryList.tsx'
import { DeliveryShow } from './DeliveryShow.tsx'

/** Mail and SMS: the outbox. Whoever may see it may have a message sent again. */
export const deliveries: ConsoleResource = {
  name: 'deliveries',
  label: 'Deliveries',
  icon: Icon,
  group: 'system',
  list: DeliveryList,
  show: DeliveryShow,
  recordRepresentation: (delivery) => String(delivery.subject ?? delivery.template),
  permission: { read: 'deliveries.view', write: 'deliveries.view' },
}
