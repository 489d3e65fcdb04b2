import { networkOf } from '../../core/addresses.ts'
import { fragment } from '../../http/lists/fragment.ts'
import { byNumber, byText, type Filter, fromFilter, type ListSpec, toFilter } from '../../http/lists/spec.ts'
import type { ActivityRow } from '../activity/activity.table.ts'
import { describeAgent } from '../credentials/user-agent.ts'
import type { SignIn } from './sign-ins.schemas.ts'

export const goodEvent = 'user.signed_in'
export const failedEvent = 'user.sign_in_failed'

/** Good or failed ones only. */
const successFilter: Filter = {
  expects: 'true or false',
  parse: (text) =>
    text === 'true' || text === '1' ? goodEvent : text === 'false' || text === '0' ? failedEvent : undefined,
  where: (values) => fragment(`event in (${values.map(() => '?')})`, ...values),
}

export const signInList = {
  table: 'activity',
  columns: ['id', 'event', 'details', 'ip_address', 'user_agent', 'created_at'],
  sorts: { id: byNumber('id'), created_at: byText('created_at') },
  defaultSort: '-id',
  filters: { success: successFilter, from: fromFilter('created_at'), to: toFilter('created_at') },
  includes: {},
} as const satisfies ListSpec<ActivityRow>

interface Details {
  readonly reason?: string
  readonly method?: string
  readonly count?: number
}

/** An entry of the audit log as a sign-in. */
export function toSignIn({ id, event, details, ip_address, user_agent, created_at }: ActivityRow): SignIn {
  const { reason, method, count = 1 }: Details = details === null ? {} : JSON.parse(details)
  const { browser, platform } = describeAgent(user_agent)
  const network = ip_address === null || ip_address.includes('/') ? ip_address : networkOf(ip_address)
  return {
    id,
    success: event === goodEvent,
    reason: reason ?? null,
    method: method ?? null,
    browser,
    platform,
    network,
    count,
    created_at,
  }
}
