import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Liquid } from 'liquidjs'
import { toOneLine } from '../core/text.ts'
import type { MailName, MailValues, SmsName, SmsValues } from './mails.ts'

/** Each language is a folder; there is one so far. */
const language = 'en'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** Each template is read once. One that names a value which it is not given fails, rather than leave a gap in a mail. */
const options = {
  root: join(import.meta.dirname, language),
  extname: '.liquid',
  cache: true,
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  relativeReference: false,
}
const htmlEngine = new Liquid({ ...options, outputEscape: 'escape' })
const textEngine = new Liquid(options)

/** Puts every text in a value into one line. */
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

/** The mails of a plugin from its folder: `en/NAME/{subject,text,html}.liquid`. Throws if a file is missing. */
export function readMailSources(folder: URL): Record<string, MailSource> {
  const root = join(fileURLToPath(folder), language)
  const read = (name: string, part: string) => readFileSync(join(root, name, `${part}.liquid`), 'utf8').trim()
  return Object.fromEntries(
    readdirSync(root).map((name) => [
      name,
      { subject: read(name, 'subject'), text: read(name, 'text'), html: read(name, 'html') },
    ]),
  )
}

/** Throws where a mail lacks a part, or one is no Liquid: it would show when the first is sent. */
export function checkMailSources(sources: Readonly<Record<string, MailSource>>): void {
  for (const [name, source] of Object.entries(sources)) {
    for (const part of ['subject', 'text', 'html'] as const) {
      if (typeof source?.[part] !== 'string') throw new Error(`the mail "${name}" has no ${part}`)
      try {
        textEngine.parse(source[part])
      } catch (error) {
        throw new Error(`the ${part} of the mail "${name}": ${(error as Error).message}`)
      }
    }
  }
}

/** Renders a mail that is given as text, in the same layout. Values are escaped in HTML, except under `| raw`. */
export async function renderSource(
  service: string,
  source: MailSource,
  data: Readonly<Record<string, unknown>>,
): Promise<RenderedMail> {
  const subject = toOneLine(await textEngine.parseAndRender(source.subject, { ...data }))
  const values = { ...data, subject, service: toOneLine(service) }
  const inLayout = (part: string, content: string) =>
    `{% layout 'layout/${part}' %}{% block content %}${content}{% endblock %}`
  const [text, html] = await Promise.all([
    textEngine.parseAndRender(inLayout('text', source.text), values),
    htmlEngine.parseAndRender(inLayout('html', source.html), values),
  ])
  return { subject, text, html }
}

/** Renders a mail of `service` in its layout: plain text, and HTML that reads well on a phone and in the dark. */
export async function renderMail<N extends MailName>(
  service: string,
  template: N,
  data: MailValues<N>,
): Promise<RenderedMail> {
  const values: Record<string, unknown> = { service: toOneLine(service) }
  for (const [name, value] of Object.entries(data)) {
    const line = inOneLine(value)
    values[name] = name === 'name' ? toGreeting(String(line)) : line
  }
  const subject = toOneLine(await textEngine.renderFile(`${template}/subject`, values))
  const [text, html] = await Promise.all([
    textEngine.renderFile(`${template}/text`, { ...values, subject }),
    htmlEngine.renderFile(`${template}/html`, { ...values, subject }),
  ])
  return { subject, text, html }
}

/** Renders a text message of `service`. */
export async function renderSms(service: string, template: SmsName, values: SmsValues): Promise<string> {
  return toOneLine(await textEngine.renderFile(`${template}/text`, { ...values, service: toOneLine(service) }))
}
