import { resolve } from 'node:path'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { type Network, parseNetwork } from './core/address-guard.ts'
import { keyBytes } from './core/sealing.ts'
import type { DatabaseAddress } from './db/open.ts'
import { parseHosts } from './db/postgres/address.ts'

/** An invalid setting: the start fails with its one line, also where the value that it repeats has several. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\p{Cc}+/gu, ' '))
  }
}

export interface RateLimit {
  requests: number
  windowMs: number
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The prefix of every setting's name. */
export const prefix = 'GATEHOUSE_'

/** What is repeated of a value stays on the line. */
export const refuse = (name: string, why: string): never => {
  throw new ConfigError(`${prefix}${name}: ${why.replaceAll(/\p{Cc}/gu, '�')}`)
}

const windowsMs: Record<string, number> = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** `1000/minute` and the like; null for `off`. */
export function parseRate(name: string, text: string): RateLimit | null {
  if (text === 'off') return null
  const [, requests, unit] = /^([1-9]\d{0,8})\/(second|minute|hour|day)$/.exec(text) ?? []
  if (requests === undefined || unit === undefined) {
    return refuse(name, `"${text}" is not a rate. Write for example 1000/minute (second, minute, hour, day) or off.`)
  }
  return { requests: Number(requests), windowMs: windowsMs[unit] as number }
}

export function parsePublicUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return refuse(
      'PUBLIC_URL',
      'write an http or https address without credentials, query or fragment, for example https://users.example.com.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** A path, which is relative to the working folder. No shell has seen it: `~` and `$HOME` would be names of folders. */
export function parsePath(name: string, text: string): string {
  if (/^(~(\/|$)|\$)/.test(text))
    return refuse(name, `"${text}" begins with what only a shell replaces. Write the whole path.`)
  return resolve(text)
}

/** The path in `scheme:path`, also with the slashes of a URL: three, or four as SQLAlchemy writes them. */
export function parsePathUrl(name: string, scheme: 'sqlite' | 'file', text: string): string {
  const path = text.slice(scheme.length + 1).replace(/^\/{2,3}(?=\/)/, '')
  if (!path.startsWith('//')) return parsePath(name, path)
  const rest = path.slice(2)
  return refuse(name, `write ${scheme}:${rest} for a path in the working folder, or ${scheme}:/${rest}.`)
}

/** The address of the database. It may contain a password, so an invalid value is not repeated. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (text === 'sqlite:' || text === 'sqlite::memory:')
    return refuse('DATABASE_URL', 'name a file, for example sqlite:./data/gatehouse.db.')
  if (text.startsWith('sqlite:')) {
    const path = parsePathUrl('DATABASE_URL', 'sqlite', text)
    if (/\?[\w-]+=/.test(text)) return refuse('DATABASE_URL', 'sqlite: takes no parameters after the path.')
    return { kind: 'sqlite', path }
  }
  return { kind: 'postgres', url: parsePostgresUrl('DATABASE_URL', text, 'write sqlite:PATH or') }
}

function parsePostgresUrl(name: string, text: string, start: string): string {
  try {
    parseHosts(text)
    return text
  } catch (error) {
    return refuse(
      name,
      `${start} postgres://user:password@host:5432/database; several hosts are postgres://user:password@a,b/database?target_session_attrs=read-write (${(error as Error).message}).`,
    )
  }
}

/** Where lists are read; null for the database itself. */
export function parseReadUrl(text: string, database: DatabaseAddress): string | null {
  if (text === '') return null
  if (database.kind === 'sqlite')
    return refuse('DATABASE_READ_URL', 'is for PostgreSQL alone; set GATEHOUSE_DATABASE_URL to the primary, too.')
  return parsePostgresUrl('DATABASE_READ_URL', text, 'write')
}

export function parsePool(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  return refuse('DATABASE_POOL', `"${text}" is not a number of connections. Write a whole number from 1 to 999.`)
}

/** True for a host that only this machine can reach; also as URLs write it. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Networks in CIDR notation, or single addresses. */
export function parseNetworks(text: string): Network[] {
  return splitList(text).map((network) => {
    try {
      return parseNetwork(network)
    } catch {
      return refuse('WEBHOOK_NETWORKS', `"${network}" is not a network. Write for example 10.0.0.0/8,192.168.1.7.`)
    }
  })
}

/** Origins exactly as browsers send them: scheme, host and port, without a path. */
export function parseCorsOrigins(text: string, publicUrl: string): string[] {
  const origins = splitList(text)
  const wrong = origins.find((origin) => !/^https?:\/\/[^*]+$/.test(origin) || URL.parse(origin)?.origin !== origin)
  if (wrong !== undefined)
    return refuse(
      'CORS_ORIGINS',
      `"${wrong}" is not an origin. Write for example https://app.example.com,http://localhost:5173.`,
    )
  return origins.filter((origin) => origin !== new URL(publicUrl).origin)
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A URL whose user and password can be decoded; undefined if it has a stray `%` in them. */
export function parseCredentialUrl(text: string): { url: URL; user: string; password: string } | null {
  const url = URL.parse(text)
  try {
    return url && { url, user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  } catch {
    return null
  }
}

export function parseCountries(text: string): string[] | null {
  const countries = splitList(text.toUpperCase())
  const wrong = countries.find((country) => !isSupportedCountry(country))
  if (wrong !== undefined) {
    return refuse(
      'SMS_COUNTRIES',
      `"${wrong}" is not a country with phone numbers. Write ISO 3166-1 codes, for example DE,AT,CH.`,
    )
  }
  return countries.length === 0 ? null : countries
}

export function parseCap(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  return refuse(
    'SMS_DAILY_CAP',
    `"${text}" is not a number of SMS a day. Write a whole number from 1, for example 1000.`,
  )
}

export function parsePlugins(text: string): string[] {
  const plugins = splitList(text).map((plugin) => plugin.replace(/^@gatehouse\/plugin-/, ''))
  const wrong = plugins.find((plugin) => !/^(\.{0,2}\/.+|(@[a-z0-9~._-]+\/)?[a-z0-9~-][a-z0-9~._-]*)$/.test(plugin))
  if (wrong !== undefined)
    return refuse(
      'PLUGINS',
      `"${wrong}" is not a package. Write names or paths, for example announcements,./my-plugin.`,
    )
  return plugins
}

export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text)
  return level ?? refuse('LOG_LEVEL', `"${text}" is not a level. Write one of ${logLevels.join(', ')}.`)
}

export function parseSecretKey(text: string): Buffer | null {
  if (text === '') return null
  const key = Buffer.from(text, 'base64url')
  if (/^[A-Za-z0-9_-]{43}$/.test(text) && key.length === keyBytes && looksRandom(text)) return key
  return refuse(
    'SECRET_KEY',
    'write 32 random bytes in base64url, for example from: node -p "crypto.randomBytes(32).toString(\'base64url\')"',
  )
}

export function parseAdminPassword(text: string | null): string | null {
  if (text?.endsWith('\r'))
    return refuse(
      'ADMIN_PASSWORD',
      'it ends with a carriage return. Its file has the line ends of Windows: store it with those of Unix.',
    )
  return text || null
}

export function parseApiKey(text: string | null): string | null {
  if (text === null) return text
  if (/^gh_[A-Za-z0-9_-]{43}$/.test(text)) {
    if (looksRandom(text.slice(3))) return text
    return refuse(
      'ADMIN_API_KEY',
      "this key can be guessed. Take 32 random bytes, for example from: node -p \"'gh_' + crypto.randomBytes(32).toString('base64url')\"",
    )
  }
  return refuse(
    'ADMIN_API_KEY',
    "write gh_ followed by 43 base64url characters (32 random bytes), for example from: node -p \"'gh_' + crypto.randomBytes(32).toString('base64url')\"",
  )
}

/**
 * False for keys that were typed or counted up. 43 random characters of base64url have 31 different ones on average. Fewer
 * than 12 different ones, or the same step between half of them, do not happen by chance.
 */
function looksRandom(text: string): boolean {
  const steps = new Map<number, number>()
  for (let index = 1; index < text.length; index++) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1)
    steps.set(step, (steps.get(step) ?? 0) + 1)
  }
  return new Set(text).size >= 12 && Math.max(...steps.values()) < text.length / 2
}
