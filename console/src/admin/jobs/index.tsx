import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/PendingActionsOutlined'
import { JobList } from './JobList.tsx'
import { JobShow } from './JobShow.tsx'
import { type Job, titleOf } from './job.ts'

/** Imports, and changes of many users. */
export const jobs: ConsoleResource = {
  name: 'jobs',
  label: 'Jobs',
  icon: Icon,
  group: 'system',
  list: JobList,
  show: JobShow,
  recordRepresentation: (job) => titleOf(job as unknown as Job),
  permission: { read: 'users.manage', write: 'users.manage' },
}
