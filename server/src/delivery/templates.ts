import { join } from 'node:path'
import { Liquid } from 'liquidjs'

/**
 * What each mail has to say, by the name of its template. Text in it comes from users and is escaped. An empty name is left out.
 */
export interface MailTemplates {
  'confirm-email': { link: string }
  'reset-password': { name: string; link: string; minutes: number }
  'password-changed': {
    name: string
    at: string
    /** How many API keys were revoked with it. */
    revoked: number
    /** Keys that go on working; when they were last used, null for never. */
    keys: readonly { name: string; lastUsed: string | null }[]
    /** How many keys beyond those are not named. */
    more: number
  }
  'email-changed': { name: string; newEmail: string; at: string }
  'two-factor-on': { name: string; phone: string; at: string }
  'two-factor-off': { name: string; at: string; byAdministrator: boolean }
  'too-many-codes': { name: string; at: string; until: string }
  'sms-cap-near': { count: number; cap: number; at: string }
  'sign-ins-failing': { name: string; count: number; before: number; at: string }
  test: { at: string }
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const subjects: Readonly<Record<keyof MailTemplates, string>> = {
  'confirm-email': 'Confirm your email address',
  'reset-password': 'Reset your password',
  'password-changed': 'Your password was changed',
  'email-changed': 'Your email address was changed',
  'two-factor-on': 'Two-factor sign-in was turned on',
  'two-factor-off': 'Two-factor sign-in was turned off',
  'too-many-codes': 'Too many wrong codes for your account',
  'sms-cap-near': 'Many text messages today',
  'sign-ins-failing': 'Many sign-ins are failing',
  test: 'A test mail',
}

export const mailTemplates = Object.keys(subjects) as (keyof MailTemplates)[]

/** Each template is read once. One that names a value which it is not given fails, rather than leave a gap in a mail. */
const options = {
  root: join(import.meta.dirname, 'templates'),
  cache: true,
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  relativeReference: false,
}
const htmlEngine = new Liquid({ ...options, extname: '.html.liquid', outputEscape: 'escape' })
const textEngine = new Liquid({ ...options, extname: '.text.liquid' })

/** Line ends and the like, and characters that turn the direction of the text around them. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Text as it may stand within one line of a mail or of its head: nothing in it begins a line or a header of its own. */
export const toOneLine = (text: string): string => text.replaceAll(steering, ' ').trim()

/** The same for every text in a value. */
function inOneLine(value: unknown): unknown {
  if (typeof value === 'string') return toOneLine(value)
  if (Array.isArray(value)) return value.map(inOneLine)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inOneLine(part)]))
}

const longestName = 60

/**
 * A name, as a greeting shows it. Users choose it, so that it must carry neither a message nor a link: it is cut, and an
 * invisible joiner keeps mail programs from making a link of it.
 */
const toGreeting = (name: string): string =>
  [...name]
    .slice(0, longestName)
    .join('')
    .replaceAll(/([.:@])(?=[\p{L}\p{N}/])/gu, '$1\u2060')

/** A mail as a plugin writes it: Liquid templates. */
export interface MailSource {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Renders a mail that is given as text, in the same layout. Values are escaped in HTML, except under `| raw`. */
export async function renderSource(
  service: string,
  source: MailSource,
  data: Readonly<Record<string, unknown>>,
): Promise<RenderedMail> {
  const subject = toOneLine(await textEngine.parseAndRender(source.subject, { ...data }))
  const values = { ...data, subject, service: toOneLine(service) }
  const inLayout = (content: string) => `{% layout 'layout' %}{% block content %}${content}{% endblock %}`
  const [text, html] = await Promise.all([
    textEngine.parseAndRender(inLayout(source.text), values),
    htmlEngine.parseAndRender(inLayout(source.html), values),
  ])
  return { subject, text, html }
}

/** Renders a mail of `service` in its layout: plain text, and HTML that reads well on a phone and in the dark. */
export async function renderMail<T extends keyof MailTemplates>(
  service: string,
  template: T,
  data: MailTemplates[T],
): Promise<RenderedMail> {
  const subject = subjects[template]
  const values: Record<string, unknown> = { subject, service: toOneLine(service) }
  for (const [name, value] of Object.entries(data)) {
    const line = inOneLine(value)
    values[name] = name === 'name' ? toGreeting(String(line)) : line
  }
  const [text, html] = await Promise.all([
    textEngine.renderFile(template, values),
    htmlEngine.renderFile(template, values),
  ])
  return { subject, text, html }
}
