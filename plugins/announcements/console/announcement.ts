/** An announcement as the API returns it; the last three properties only if requested. */
export interface Announcement {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly parsed_body: string
  readonly created_at: string
  readonly updated_at: string
  readonly user?: Author | null
  readonly read_state?: { readonly is_read: boolean }
  readonly notifications?: Mails | null
}

interface Author {
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email?: string
}

/** The progress of its mails. */
export interface Mails {
  readonly status: 'running' | 'done' | 'cancelled'
  readonly total: number
  readonly queued: number
  readonly sent: number
  readonly failed: number
  readonly skipped: number
}

export const manage = 'announcements.manage'

/** The includes that pages show. */
export const reading = { include: ['user', 'read_state'] }
export const managing = { include: ['user', 'read_state', 'notifications'] }

export function authorOf({ user }: Announcement): string {
  if (user == null) return 'Somebody who has left'
  const full = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return full || user.username || user.email || 'An administrator'
}

/** Where the console shows it. */
export const addressOf = ({ id }: Pick<Announcement, 'id'>): string => `#/announcements/${id}/show`

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Timestamps of the API are UTC, without saying so. */
const toDate = (timestamp: string): Date => new Date(`${timestamp.replace(' ', 'T')}Z`)
export const dateOf = (timestamp: string): string => format.format(toDate(timestamp))

/** The beginning of the text, without its layout. */
export function excerptOf({ parsed_body }: Announcement): string {
  const { body } = new DOMParser().parseFromString(parsed_body, 'text/html') // runs and loads nothing
  const paragraphs = [...body.querySelectorAll('p')].map(({ textContent }) => textContent)
  const text = (paragraphs.join(' ') || (body.textContent ?? '')).replaceAll(/\s+/g, ' ').trim()
  return text.length > 220 ? `${text.slice(0, 220).replace(/\s\S*$/, '')} …` : text
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
