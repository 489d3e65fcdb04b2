import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import { ImportPage } from './ImportPage.tsx'

export const importUsers: ConsolePage = { path: '/import-users', component: ImportPage, permission: 'users.manage' }
