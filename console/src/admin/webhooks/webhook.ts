import type { components } from '@gatehouse/client'
import { eventNames, eventTitle, subjectTitle } from '../activity/sentence.ts'
import type { Tone } from '../components/Tag.tsx'

export type Webhook = components['schemas']['Webhook']
export type WebhookWithSecret = components['schemas']['WebhookWithSecret']
export type Attempt = components['schemas']['WebhookAttempt']

/** How a webhook stands, in a word. */
export function statusOf({ enabled, disabled_reason, failing_since }: Webhook): { tone: Tone; name: string } {
  if (enabled) return failing_since === null ? { tone: 'good', name: 'On' } : { tone: 'warning', name: 'Failing' }
  return disabled_reason === 'administrator' ? { tone: 'plain', name: 'Off' } : { tone: 'bad', name: 'Switched off' }
}

/** Why nothing is sent, or not everything arrives; undefined while all is well. */
export function troubleOf({ enabled, disabled_reason, failing_since }: Webhook): string | undefined {
  if (enabled) {
    return failing_since === null
      ? undefined
      : 'Nothing but failures since then. Messages are tried again for three days; then the webhook is switched off.'
  }
  if (disabled_reason === 'gone') return 'The receiver answered 410 Gone, so nothing is sent any more.'
  if (disabled_reason === 'failing') return 'Nothing but failures came for three days, so nothing is sent any more.'
  return 'Nothing is sent. What happens meanwhile can be sent later by a replay.'
}

export const isTaken = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'The connection was closed',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  ENOTFOUND: 'The host name does not exist',
  EAI_AGAIN: 'The host name could not be looked up',
  EPROTO: 'TLS failed',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
}

/** What came of an attempt: `Answered 500`, `Connection refused (ECONNREFUSED)`. */
export function resultOf({ status, error }: Attempt): string {
  if (status !== null) return `Answered ${status}`
  if (error === null) return 'No answer'
  const words = error.startsWith('HPE_') ? 'The answer is not HTTP' : problems[error]
  return words === undefined ? error.replace(/\.$/, '') : `${words} (${error})`
}

interface Choice {
  readonly id: string
  readonly name: string
  readonly group: string
}

const subjects = [...new Set(eventNames.map((name) => name.split('.')[0] ?? ''))]

/** What can be chosen to be sent: everything, all of one kind, and each event. */
const choices: readonly Choice[] = [
  { id: '*', name: 'Everything', group: 'All' },
  ...subjects.map((subject) => ({ id: `${subject}.*`, name: `${subjectTitle(subject)}: everything`, group: 'All' })),
  ...eventNames.map((id) => ({ id, name: eventTitle(id), group: subjectTitle(id.split('.')[0] ?? '') })),
]

/** The choices, with what a webhook has besides: a plugin's events. */
export const choicesWith = (events: readonly string[]): Choice[] => [
  ...choices,
  ...events
    .filter((event) => !choices.some(({ id }) => id === event))
    .map((id) => ({ id, name: id, group: 'Plugins' })),
]

/** The events in words. */
export const eventsInWords = ({ events }: Webhook): string => {
  const known = choicesWith(events)
  const names = events.map((event) => known.find(({ id }) => id === event)?.name ?? event)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
}
