import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const data = resolve('data')
const key = 'gh_Zk3v-Qe81XyT_0aLrWm7bNcHd5uGfJ2sPpIo9Ek4VxM'

const twilio = { kind: 'twilio', accountSid: 'AC1', authToken: 'a/b', from: '+15550100' }
const gateway = (url: string, secret: string | null) => ({ sms: { kind: 'gateway', url, secret } })
const captcha = (provider: string, address: string) => ({
  captcha: { provider, siteKey: 'site', secret: 'a/b', api: `https://${address}` },
})

/** The expected error for a setting: its own name, and what to do. */
const refusal = (env: Record<string, string>): string => {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the configuration', () => {
  it('needs no setting at all: these are the defaults', () => {
    expect(parseConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      processes: 1,
      drainSeconds: 0,
      dataDir: data,
      database: { kind: 'sqlite', path: join(data, 'gatehouse.db') },
      databasePool: 10,
      databaseReadUrl: null,
      mail: null,
      mailFrom: 'Gatehouse <no-reply@localhost>',
      sms: null,
      smsBudget: { requests: 10, windowMs: 3_600_000 },
      smsCountries: null,
      smsDailyCap: 1000,
      storage: { dir: join(data, 'avatars') },
      captcha: null,
      trustProxy: [],
      corsOrigins: [],
      rateLimit: { requests: 1000, windowMs: 60_000 },
      logLevel: 'info',
      secretKey: null,
      webhookNetworks: [],
      otlp: null,
      plugins: ['announcements'],
      breachedPasswords: null,
      admin: { email: null, password: null, apiKey: null },
      printsSecrets: true,
    })
  })

  it.each([
    ['HOST', 'localhost', { host: 'localhost' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', '[::1]', { host: '::1' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535, publicUrl: 'http://localhost:65535' }],
    ['PUBLIC_URL', 'https://users.example.com', { publicUrl: 'https://users.example.com', drainSeconds: 8 }],
    ['DRAIN_SECONDS', '30', { drainSeconds: 30 }],
    ['PROCESSES', '4', { processes: 4 }],
    ['OTLP_URL', 'http://localhost:4318/', { otlp: { url: 'http://localhost:4318', authorization: null } }],
    [
      'OTLP_URL',
      'https://1:a%2Fb@otlp.test/otlp',
      { otlp: { url: 'https://otlp.test/otlp', authorization: 'Basic MTphL2I=' } },
    ],
    ['PROCESSES', 'auto', { processes: availableParallelism() }],
    ['PUBLIC_URL', ' https://Example.com/admin/ ', { publicUrl: 'https://example.com/admin' }],
    ['DATA_DIR', '/srv/g', { dataDir: '/srv/g', database: { kind: 'sqlite', path: '/srv/g/gatehouse.db' } }],
    ['DATABASE_URL', 'sqlite:data/x.db', { database: { kind: 'sqlite', path: join(data, 'x.db') } }],
    ['DATABASE_URL', 'sqlite:/srv/x.db', { database: { kind: 'sqlite', path: '/srv/x.db' } }],
    ['DATABASE_URL', 'sqlite:///srv/x.db', { database: { kind: 'sqlite', path: '/srv/x.db' } }],
    ['DATABASE_URL', 'sqlite:////srv/x.db', { database: { kind: 'sqlite', path: '/srv/x.db' } }],
    ['DATABASE_URL', 'postgres://u:p@db/g', { database: { kind: 'postgres', url: 'postgres://u:p@db/g' } }],
    ['DATABASE_URL', 'postgres://u:p@a:1,b:2/g', { database: { kind: 'postgres', url: 'postgres://u:p@a:1,b:2/g' } }],
    ['DATABASE_POOL', '25', { databasePool: 25 }],
    ['DATABASE_URL', 'postgresql://u:p@db/g', { database: { kind: 'postgres', url: 'postgresql://u:p@db/g' } }],
    ['MAIL_URL', 'capture:', { mail: null }],
    ['MAIL_URL', 'smtp://ada:hunter2@mail:587', { mail: { url: 'smtp://ada:hunter2@mail:587' } }],
    ['MAIL_URL', 'smtps://mail.example.com', { mail: { url: 'smtps://mail.example.com' } }],
    ['MAIL_FROM', 'Us <us@example.com>', { mailFrom: 'Us <us@example.com>' }],
    ['MAIL_FROM', 'us@example.com', { mailFrom: 'us@example.com' }],
    ['SMS_URL', 'capture:', { sms: null }],
    ['SMS_URL', 'twilio://AC1:a%2Fb@default?from=%2B15550100', { sms: { ...twilio, api: 'https://api.twilio.com' } }],
    [
      'SMS_URL',
      'twilio://AC1:a%2Fb@default?from=%2B15550100&api=http://127.0.0.1:9/x/',
      { sms: { ...twilio, api: 'http://127.0.0.1:9/x' } },
    ],
    ['SMS_URL', 'https://sms.example.com/in?a=b', gateway('https://sms.example.com/in?a=b', null)],
    ['SMS_URL', 'https://:whsec_a%2Fbc@sms.example.com/in', gateway('https://sms.example.com/in', 'whsec_a/bc')],
    ['SMS_URL', 'http://127.0.0.1:9000/in', gateway('http://127.0.0.1:9000/in', null)],
    ['STORAGE_URL', 'file:pictures', { storage: { dir: resolve('pictures') } }],
    ['STORAGE_URL', 'file:/srv/pictures', { storage: { dir: '/srv/pictures' } }],
    ['STORAGE_URL', 'file:///srv/pictures', { storage: { dir: '/srv/pictures' } }],
    ['STORAGE_URL', 'file:////srv/pictures', { storage: { dir: '/srv/pictures' } }],
    [
      'STORAGE_URL',
      's3://a%2Fb:s%40c@s3.example.com/pics?region=eu-1',
      {
        storage: {
          endpoint: 'https://pics.s3.example.com',
          region: 'eu-1',
          accessKeyId: 'a/b',
          secretAccessKey: 's@c',
        },
      },
    ],
    [
      'STORAGE_URL',
      's3://a:b@127.0.0.1:9000/pics',
      {
        storage: {
          endpoint: 'http://127.0.0.1:9000/pics',
          region: 'us-east-1',
          accessKeyId: 'a',
          secretAccessKey: 'b',
        },
      },
    ],
    ['CAPTCHA_URL', 'recaptcha://site:a%2Fb@default', captcha('recaptcha', 'www.google.com/recaptcha/api/siteverify')],
    ['CAPTCHA_URL', 'hcaptcha://site:a%2Fb@default', captcha('hcaptcha', 'api.hcaptcha.com/siteverify')],
    [
      'CAPTCHA_URL',
      'turnstile://site:a%2Fb@default',
      captcha('turnstile', 'challenges.cloudflare.com/turnstile/v0/siteverify'),
    ],
    ['CAPTCHA_URL', 'hcaptcha://site:a%2Fb@default?api=https://c.example/v', captcha('hcaptcha', 'c.example/v')],
    ['CAPTCHA_URL', 'hcaptcha://site:a%2Fb@default?api=https://c.example/v/', captcha('hcaptcha', 'c.example/v/')],
    ['PLUGINS', '', { plugins: [] }],
    ['PLUGINS', ' announcements , ', { plugins: ['announcements'] }],
    ['PLUGINS', '@gatehouse/plugin-announcements', { plugins: ['announcements'] }],
    ['PLUGINS', '@acme/x,./own,/srv/own.js', { plugins: ['@acme/x', './own', '/srv/own.js'] }],
    ['TRUST_PROXY', '10.0.0.1, 192.168.0.0/16,::1,fd00::/8', {}],
    [
      'CORS_ORIGINS',
      'https://app.example.com, http://localhost:5173',
      { corsOrigins: ['https://app.example.com', 'http://localhost:5173'] },
    ],
    ['TRUST_PROXY', '10.0.0.1,::1', { trustProxy: ['10.0.0.1', '::1'] }],
    ['TRUST_PROXY', 'unix', { trustProxy: ['unix'] }],
    ['RATE_LIMIT', '5/second', { rateLimit: { requests: 5, windowMs: 1_000 } }],
    ['RATE_LIMIT', '7/hour', { rateLimit: { requests: 7, windowMs: 3_600_000 } }],
    ['RATE_LIMIT', '7/day', { rateLimit: { requests: 7, windowMs: 86_400_000 } }],
    ['RATE_LIMIT', 'off', { rateLimit: null }],
    ['SMS_BUDGET', '3/day', { smsBudget: { requests: 3, windowMs: 86_400_000 } }],
    ['SMS_BUDGET', 'off', { smsBudget: null }],
    ['BREACHED_PASSWORDS', 'lists/pwned.txt', { breachedPasswords: resolve('lists/pwned.txt') }],
    ['SMS_COUNTRIES', ' de, AT,,Ch ', { smsCountries: ['DE', 'AT', 'CH'] }],
    ['SMS_DAILY_CAP', '1', { smsDailyCap: 1 }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['ADMIN_EMAIL', 'ada@example.com', { admin: { email: 'ada@example.com', password: null, apiKey: null } }],
    ['ADMIN_PASSWORD', ' as typed ', { admin: { email: null, password: ' as typed ', apiKey: null } }],
    ['ADMIN_API_KEY', key, { admin: { email: null, password: null, apiKey: key } }],
  ])('GATEHOUSE_%s takes %j', (name, value, expected) => {
    expect(parseConfig({ [`GATEHOUSE_${name}`]: value })).toMatchObject(expected)
  })

  it.each(['localhost:4318', 'grpc://u:hunter2@host', 'http://u:hunter2@host/?x=1'])(
    'takes a collector by http or https alone, and does not repeat it: %s',
    (url) => {
      const message = refusal({ GATEHOUSE_OTLP_URL: url })
      expect(message).toMatch(/^GATEHOUSE_OTLP_URL: write the http or https address/)
      expect(message).not.toContain('hunter2')
    },
  )

  it('accepts an address that others can reach if the public URL is known', () => {
    const publicUrl = 'https://users.example.com'
    const config = parseConfig({ GATEHOUSE_HOST: '0.0.0.0', GATEHOUSE_PUBLIC_URL: publicUrl })
    expect(config).toMatchObject({ host: '0.0.0.0', publicUrl })
  })

  it('treats an empty value as the default, except in the list of plugins', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'MAIL_URL', 'MAIL_FROM', 'SMS_URL']
    const more = ['STORAGE_URL', 'CAPTCHA_URL', 'TRUST_PROXY', 'RATE_LIMIT', 'SMS_BUDGET', 'LOG_LEVEL', 'ADMIN_EMAIL']
    const all = [
      ...names,
      ...more,
      'BREACHED_PASSWORDS',
      'SMS_COUNTRIES',
      'SMS_DAILY_CAP',
      'ADMIN_PASSWORD',
      'ADMIN_API_KEY',
    ]
    expect(parseConfig(Object.fromEntries(all.map((name) => [`GATEHOUSE_${name}`, ''])))).toEqual(parseConfig({}))
  })

  it.each([
    ['SMS_COUNTRIES', 'DE,Atlantis', 'ISO 3166-1'],
    ['SMS_COUNTRIES', '49', 'ISO 3166-1'],
    ['SMS_DAILY_CAP', '0', 'from 1'],
    ['SMS_DAILY_CAP', 'off', 'from 1'],
    ['SMS_DAILY_CAP', '1e3', 'from 1'],
    ['HOST', 'unix:', 'unix:/run/gatehouse/gatehouse.sock'],
    ['HOST', `unix:/${'x'.repeat(103)}`, 'at most 103 bytes'],
    ['HOST', '127.0.0.1:8080', 'without a port'],
    ['HOST', '999.1.1.1', 'is not an address'],
    ['HOST', 'two words', 'is not an address'],
    ['HOST', 'http://localhost', 'is not an address'],
    ['PORT', 'abc', 'from 0 to 65535'],
    ['PORT', '65536', 'from 0 to 65535'],
    ['PORT', '-1', 'from 0 to 65535'],
    ['PORT', '1e3', 'from 0 to 65535'],
    ['PROCESSES', '0', 'or auto'],
    ['DRAIN_SECONDS', '8s', 'from 0 to 600'],
    ['DRAIN_SECONDS', '601', 'from 0 to 600'],
    ['PUBLIC_URL', 'users.example.com', 'http or https'],
    ['PUBLIC_URL', 'https://ada:hunter2@exa mple.com', 'http or https'],
    ['PUBLIC_URL', 'ftp://users.example.com', 'http or https'],
    ['PUBLIC_URL', 'https://ada:hunter2@example.com', 'without credentials'],
    ['PUBLIC_URL', 'https://example.com/?a=b', 'query'],
    ['PUBLIC_URL', 'https://example.com/#a', 'fragment'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/g', 'postgres://'],
    ['DATABASE_URL', 'postgres://root:hunter2@db:port/g', 'postgres://'],
    ['DATABASE_URL', 'sqlite:', 'name a file'],
    ['DATABASE_URL', 'sqlite::memory:', 'name a file'],
    ['MAIL_URL', 'https://ada:hunter2@mail', 'smtp://user:password@host:587'],
    ['MAIL_URL', 'smtp:ada:hunter2', 'capture:'],
    ['MAIL_URL', 'smtp://ada:hunter2@mail:port', 'smtps://'],
    ['MAIL_URL', 'capture', 'capture:'],
    ['MAIL_URL', 'smtp://ada:hunter2%zz@mail', 'smtps://'],
    ['MAIL_FROM', 'Us', 'Gatehouse <no-reply@example.com>'],
    ['MAIL_FROM', 'us@example.com, them@example.com', 'is not a sender'],
    ['MAIL_FROM', 'Us\r\nBcc: <them@example.com>', 'is not a sender'],
    ['SMS_URL', 'twilio://ada:hunter2@default', '?from='],
    ['SMS_URL', 'twilio://hunter2@default?from=%2B15550100', 'twilio://SID:TOKEN@default'],
    ['SMS_URL', 'twilio://ada:hunter2@default?from=%2B15550100&api=ftp://x', 'http or https'],
    ['SMS_URL', 'twilio://ada:hunter2@default?from=%2B15550100&api=https://ada:hunter2@x', 'http or https'],
    ['SMS_URL', 'twilio://ada:hunter2%zz@default?from=%2B15550100', 'twilio://SID:TOKEN@default'],
    ['SMS_URL', 'http://:hunter2@sms.example.com/', 'https:// address'],
    ['SMS_URL', 'https://:hunter2%zz@sms.example.com/', 'https:// address'],
    ['SMS_URL', 'hunter2', 'capture:'],
    ['STORAGE_URL', 's3://ada:hunter2@bucket', 's3://key:secret@s3.example.com/bucket'],
    ['STORAGE_URL', 's3://ada:hunter2@host/bucket?path=1', 'region, path_style, tls'],
    ['STORAGE_URL', 's3://host/bucket', 'AWS_ACCESS_KEY_ID'],
    ['STORAGE_URL', 'file:', 'file:./data/avatars'],
    ['CAPTCHA_URL', 'hcaptcha://hunter2@default', 'hcaptcha://'],
    ['CAPTCHA_URL', 'friendly://ada:hunter2@default', 'turnstile://'],
    ['CAPTCHA_URL', 'hcaptcha://ada:hunter2%zz@default', 'hcaptcha://'],
    ['CAPTCHA_URL', 'hcaptcha://ada:hunter2@default?api=//hunter2', 'http or https'],
    ['PLUGINS', 'announcements,two words', '"two words"'],
    ['PLUGINS', 'Announcements', '"Announcements"'],
    ['CORS_ORIGINS', '*', '"*"'],
    ['CORS_ORIGINS', 'null', '"null"'],
    ['CORS_ORIGINS', 'https://app.example.com/', 'origin'],
    ['CORS_ORIGINS', 'https://*.example.com', 'origin'],
    ['CORS_ORIGINS', 'https://App.example.com', 'origin'],
    ['CORS_ORIGINS', 'https://app.example.com:443', 'origin'],
    ['CORS_ORIGINS', 'app.example.com', 'origin'],
    ['CORS_ORIGINS', 'ftp://app.example.com', 'origin'],
    ['TRUST_PROXY', '10.0.0.1,proxy.local', '"proxy.local"'],
    ['TRUST_PROXY', '10.0.0.0/33', 'range'],
    ['TRUST_PROXY', '10.0.0.0/8/8', 'range'],
    ['RATE_LIMIT', '1000', '1000/minute'],
    ['RATE_LIMIT', '0/minute', '1000/minute'],
    ['RATE_LIMIT', '1/fortnight', '1000/minute'],
    ['SMS_BUDGET', 'many', 'is not a rate'],
    ['LOG_LEVEL', 'loud', 'fatal, error, warn, info'],
    ['ADMIN_API_KEY', 'gh_hunter2', '43 base64url characters'],
    ['ADMIN_API_KEY', `gh_${'A'.repeat(43)}`, 'can be guessed'],
    ['ADMIN_API_KEY', `gh_${'abc123DEF456'.repeat(4).slice(0, 43)}`, 'can be guessed'],
    ['ADMIN_API_KEY', `gh_${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.slice(0, 43)}`, 'can be guessed'],
    ['MAIL_URL', 'smtp://localhost?tls=none', 'tls= can only be'],
    ['ADMIN_API_KEY', `${key}x`, '43 base64url characters'],
    ['PROT', '8080', 'GATEHOUSE_PORT'],
    ['constructor', 'x', 'there is no such setting'],
  ])('GATEHOUSE_%s=%s is refused with its name and a correct example', (name, value, advice) => {
    const message = refusal({ [`GATEHOUSE_${name}`]: value })
    expect(message).toMatch(new RegExp(`^GATEHOUSE_${name}: [^\n]+$`))
    expect(message).toContain(advice)
    expect(message).not.toContain('hunter2')
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', '127.0.0.1.example.com', 'unix:/run/gatehouse.sock'])(
    'does not listen on %s without a public URL',
    (host) => {
      expect(refusal({ GATEHOUSE_HOST: host })).toMatch(/^GATEHOUSE_PUBLIC_URL: must be set when GATEHOUSE_HOST/)
    },
  )
})
