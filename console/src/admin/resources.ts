import type { ConsolePage, ConsoleResource } from '@gatehouse/plugin-kit/console'
import { account } from './account/index.tsx'
import { activity } from './activity/index.tsx'
import { apiKeys } from './api-keys/index.tsx'
import { dashboard as startPage } from './dashboard/index.tsx'
import { deliveries } from './deliveries/index.tsx'
import { events } from './events/index.tsx'
import { jobs } from './jobs/index.tsx'
import { permissions } from './permissions/index.tsx'
import { roles } from './roles/index.tsx'
import { settings } from './settings/index.tsx'
import { importUsers } from './users/import/index.tsx'
import { users } from './users/index.tsx'
import { webhooks } from './webhooks/index.tsx'

/** The pages of the console, in the order of the menu. A new one is a folder and a line here; see console/README.md. */
export const resources: readonly ConsoleResource[] = [
  users,
  roles,
  permissions,
  apiKeys,
  webhooks,
  deliveries,
  jobs,
  activity,
]

/** Pages that are no resource, or have a shape of their own. */
export const pages: readonly ConsolePage[] = [account, events, settings, importUsers]

/** The start page, `#/`. Without one the first resource is. */
export const dashboard: Omit<ConsolePage, 'path'> | undefined = startPage
