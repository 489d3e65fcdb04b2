import { Tag } from '../components/Tag.tsx'
import { type Delivery, statuses } from './delivery.ts'

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Tag tone={statuses[status].tone}>{statuses[status].name}</Tag>
)
