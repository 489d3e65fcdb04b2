import { Tag } from '../components/Tag.tsx'
import { type Job, statuses } from './job.ts'

export const JobStatus = ({ status }: Pick<Job, 'status'>) => (
  <Tag tone={statuses[status].tone}>{statuses[status].name}</Tag>
)
