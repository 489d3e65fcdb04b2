import type { components } from '@gatehouse/client'
import type { Tone } from '../components/Tag.tsx'

export type Delivery = components['schemas']['Delivery']

export const kinds = [
  { id: 'mail', name: 'Mail' },
  { id: 'sms', name: 'SMS' },
]

export const statuses: Readonly<Record<Delivery['status'], { name: string; tone: Tone; text: string }>> = {
  queued: { name: 'Queued', tone: 'warning', text: 'Waiting to be sent.' },
  sending: { name: 'Sending', tone: 'accent', text: 'Being sent now.' },
  sent: { name: 'Sent', tone: 'good', text: 'The mail or SMS server accepted it.' },
  failed: { name: 'Failed', tone: 'bad', text: 'Delivery failed.' },
  captured: {
    name: 'Captured',
    tone: 'plain',
    text: 'Kept here instead of being sent, because no server is configured.',
  },
}

const titles: Readonly<Record<string, string>> = {
  'two-factor-enrolment': 'Code to turn on two-factor sign-in',
  'two-factor-login': 'Code to sign in',
}

/** `reset-password` → “Reset password”. */
export const templateTitle = (template: string): string => {
  const known = titles[template]
  if (known !== undefined) return known
  const words = template.replaceAll(/[-_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const titleOf = ({ subject, template }: Pick<Delivery, 'subject' | 'template'>): string =>
  subject ?? templateTitle(template)

export const isUnderWay = ({ status }: Pick<Delivery, 'status'>): boolean => status === 'queued' || status === 'sending'

/** Whether sending it again can be asked for: a queued one always, a failed one while its text is there. */
export const mayRetry = ({ status, body_text }: Delivery): boolean =>
  status === 'queued' || (status === 'failed' && body_text !== null)

/** The code of an SMS that carries one. */
export const codeIn = ({ kind, body_text }: Delivery): string | undefined =>
  kind === 'sms' ? /(?<!\d)\d{4,8}(?!\d)/.exec(body_text ?? '')?.[0] : undefined
