import { type Environment, isKnownName, readDotEnv, readSettingFiles, refuseQuotes } from './config-files.ts'
import { parseDrain, parseHost, parsePort, parseProcesses, parseTrustProxy, socketPathOf } from './config-listen.ts'
import { type OtlpConfig, parseOtlp } from './config-otlp.ts'
import {
  type CaptchaConfig,
  parseCaptcha,
  parseMail,
  parseMailFrom,
  parseSms,
  type SmsConfig,
} from './config-services.ts'
import { parseStorage, type S3Config, type StorageConfig } from './config-storage.ts'
import {
  ConfigError,
  isLoopback,
  type LogLevel,
  parseAdminPassword,
  parseApiKey,
  parseCap,
  parseCorsOrigins,
  parseCountries,
  parseDatabaseUrl,
  parseLogLevel,
  parseNetworks,
  parsePath,
  parsePlugins,
  parsePool,
  parsePublicUrl,
  parseRate,
  parseReadUrl,
  parseSecretKey,
  prefix,
  type RateLimit,
  refuse,
} from './config-values.ts'
import type { Network } from './core/address-guard.ts'
import type { DatabaseAddress } from './db/open.ts'

export {
  type CaptchaConfig,
  ConfigError,
  isLoopback,
  type LogLevel,
  type OtlpConfig,
  type RateLimit,
  type S3Config,
  type SmsConfig,
  socketPathOf,
}

/** The configuration by the operator, read once. Names and defaults are in `docs/configuration.md`. */
export interface Config {
  /** An address, or `unix:` and the path of a socket. */
  host: string
  port: number
  /** The only origin for links, cookies and avatars; without a trailing slash. */
  publicUrl: string
  /** How many processes serve. */
  processes: number
  /** After SIGTERM, how long everything is still answered. */
  drainSeconds: number
  dataDir: string
  database: DatabaseAddress
  /** Connections of each process to PostgreSQL. */
  databasePool: number
  /** Replicas that lists, searches, exports and numbers are read from; null for the database itself. */
  databaseReadUrl: string | null
  /** Null keeps mail in the outbox, where it can be read. */
  mail: { url: string } | null
  mailFrom: string
  /** Null keeps SMS in the outbox, where they can be read. */
  sms: SmsConfig | null
  /** The number of SMS for one phone number; twice that for a user, ten times for an address. Null when off. */
  smsBudget: RateLimit | null
  /** Countries (ISO 3166-1 alpha-2) that SMS may go to; null for all. */
  smsCountries: string[] | null
  /** The number of SMS a day for the whole service. */
  smsDailyCap: number
  /** The location of uploaded pictures. */
  storage: StorageConfig
  captcha: CaptchaConfig | null
  /** Addresses whose forwarded headers are trusted; `unix` for callers on the Unix socket. */
  trustProxy: string[]
  /** Origins of browser applications that may call the API with a bearer credential. */
  corsOrigins: string[]
  /** Requests per credential or address; null when off. */
  rateLimit: RateLimit | null
  logLevel: LogLevel
  /** 32 bytes that encrypt what must be read again; null if they are in a file of the data folder. */
  secretKey: Buffer | null
  /** Networks that webhooks may be sent to though they are not public, or without TLS. */
  webhookNetworks: Network[]
  /** The collector that traces are sent to; null for none. */
  otlp: OtlpConfig | null
  /** Packages by name (`announcements` is `@gatehouse/plugin-announcements`) or by path. */
  plugins: string[]
  /** A file of SHA-1 hashes of leaked passwords; null for none. */
  breachedPasswords: string | null
  admin: { email: string | null; password: string | null; apiKey: string | null }
  /** False where standard output is stored or shared: in the system's journal, and in production. */
  printsSecrets: boolean
}

const names = [
  ...[
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_POOL',
    'DATABASE_READ_URL',
    'MAIL_URL',
    'MAIL_FROM',
    'SMS_URL',
    'STORAGE_URL',
  ],
  ...['CAPTCHA_URL', 'PLUGINS', 'TRUST_PROXY', 'CORS_ORIGINS', 'RATE_LIMIT', 'SMS_BUDGET', 'LOG_LEVEL', 'SECRET_KEY'],
  ...['WEBHOOK_NETWORKS', 'BREACHED_PASSWORDS', 'SMS_COUNTRIES', 'SMS_DAILY_CAP', 'DRAIN_SECONDS', 'PROCESSES'],
  ...['OTLP_URL'],
  ...['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ADMIN_API_KEY'],
].map((name) => prefix + name)

function refuseUnknownNames(env: Environment): void {
  const unknown = Object.keys(env).find((name) => name.toUpperCase().startsWith(prefix) && !isKnownName(name, names))
  if (unknown !== undefined)
    throw new ConfigError(
      `${unknown}: there is no such setting. Known are ${names.join(', ')}, and each of them with _FILE.`,
    )
}

const localUrl = (port: number): string => `http://localhost:${port}`

/** Reads the configuration from an environment; throws ConfigError with one line that says what to do. */
export function parseConfig(given: Environment): Config {
  refuseUnknownNames(given)
  const env = readSettingFiles(given, names)
  refuseQuotes(env, names)
  const readOptional = (name: string): string | null => env[prefix + name] ?? null
  // An empty value means the default, except in PLUGINS, where it means none.
  const read = (name: string, otherwise: string): string => readOptional(name)?.trim() || otherwise

  const host = parseHost(read('HOST', '127.0.0.1'))
  const port = parsePort(read('PORT', '8080'))
  const publicUrl = read('PUBLIC_URL', '')
  if (publicUrl === '' && !isLoopback(host)) {
    refuse(
      'PUBLIC_URL',
      `must be set when GATEHOUSE_HOST (${host}) is not a loopback address, for example https://users.example.com.`,
    )
  }
  const ownUrl = parsePublicUrl(publicUrl || localUrl(port))
  const dataDir = parsePath('DATA_DIR', read('DATA_DIR', './data'))
  const database = parseDatabaseUrl(read('DATABASE_URL', `sqlite:${dataDir}/gatehouse.db`))
  return {
    host,
    port,
    publicUrl: ownUrl,
    processes: parseProcesses(read('PROCESSES', '1')),
    drainSeconds: parseDrain(read('DRAIN_SECONDS', publicUrl === '' ? '0' : '8')),
    dataDir,
    database,
    databasePool: parsePool(read('DATABASE_POOL', '10')),
    databaseReadUrl: parseReadUrl(read('DATABASE_READ_URL', ''), database),
    mail: parseMail(read('MAIL_URL', 'capture:')),
    mailFrom: parseMailFrom(read('MAIL_FROM', 'Gatehouse <no-reply@localhost>')),
    sms: parseSms(read('SMS_URL', 'capture:')),
    smsBudget: parseRate('SMS_BUDGET', read('SMS_BUDGET', '10/hour')),
    smsCountries: parseCountries(read('SMS_COUNTRIES', '')),
    smsDailyCap: parseCap(read('SMS_DAILY_CAP', '1000')),
    storage: parseStorage(read('STORAGE_URL', `file:${dataDir}/avatars`), env),
    captcha: parseCaptcha(read('CAPTCHA_URL', '')),
    trustProxy: parseTrustProxy(read('TRUST_PROXY', '')),
    corsOrigins: parseCorsOrigins(read('CORS_ORIGINS', ''), ownUrl),
    rateLimit: parseRate('RATE_LIMIT', read('RATE_LIMIT', '1000/minute')),
    logLevel: parseLogLevel(read('LOG_LEVEL', 'info')),
    secretKey: parseSecretKey(read('SECRET_KEY', '')),
    webhookNetworks: parseNetworks(read('WEBHOOK_NETWORKS', '')),
    otlp: parseOtlp(read('OTLP_URL', '')),
    plugins: parsePlugins(readOptional('PLUGINS') ?? 'announcements'),
    breachedPasswords: readOptional('BREACHED_PASSWORDS')?.trim()
      ? parsePath('BREACHED_PASSWORDS', read('BREACHED_PASSWORDS', ''))
      : null,
    admin: {
      email: read('ADMIN_EMAIL', '') || null,
      password: parseAdminPassword(readOptional('ADMIN_PASSWORD')),
      apiKey: parseApiKey(read('ADMIN_API_KEY', '') || null),
    },
    printsSecrets: !env.JOURNAL_STREAM && env.NODE_ENV !== 'production',
  }
}

/** The same with the port that stands for 0, also in the addresses that are built from the default of the public URL. */
export const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  publicUrl: config.publicUrl === localUrl(0) ? localUrl(port) : config.publicUrl,
})

/** The configuration of this process: `.env` of the working folder, overridden by the environment. */
export const loadConfig = (): Config => parseConfig({ ...readDotEnv('.env'), ...process.env })
