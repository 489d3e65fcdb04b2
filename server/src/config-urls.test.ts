import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

/** Why a setting is refused. */
function refusalOf(name: string, value: string, others: Record<string, string> = {}): string {
  try {
    parseConfig({ ...others, [`GATEHOUSE_${name}`]: value })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'taken'
}

const withPrimary = { GATEHOUSE_DATABASE_URL: 'postgres://db.test/gatehouse' }

describe.each([['DATABASE_URL'], ['DATABASE_READ_URL']])('GATEHOUSE_%s', (name) => {
  it.each([
    'sslmode=disable&application_name=users&options=-c%20search_path%3Dusers',
    'host=/var/run/postgresql&port=5433&user=ada&password=secret',
    'ssl=true&sslnegotiation=direct&client_encoding=UTF8&fallback_application_name=x',
    'connect_timeout=5&statement_timeout=10s&lock_timeout=50&idle_in_transaction_session_timeout=1min&answer_timeout=1s',
    'target_session_attrs=any&sslmode=require&uselibpqcompat=true',
  ])('takes ?%s', (parameters) => {
    expect(refusalOf(name, `postgres://a,b/gatehouse?${parameters}`, withPrimary)).toBe('taken')
  })

  it.each([
    ['sslmod=verify-full', /"sslmod" is unknown there; known are .*sslmode.*sslrootcert.*connect_timeout/],
    ['SSLMODE=verify-full', /"SSLMODE" is unknown there/],
    ['conect_timeout=1s', /"conect_timeout" is unknown there/],
    ['channel_binding=require', /"channel_binding" is unknown there/],
    ['constructor=1', /"constructor" is unknown there/],
    ['sslmode=verify-full&sslmode=disable', /sslmode is given twice/],
    ['ssl=maybe', /value of ssl is wrong/],
    ['port=x', /value of port is wrong/],
    ['client_encoding=latin1', /value of client_encoding is wrong/],
    ['sslmode=require#x', /%23/],
  ])('refuses ?%s', (parameters, reason) => {
    for (const host of ['db.test', 'a,b']) {
      const message = refusalOf(name, `postgres://ada:hunter2@${host}/gatehouse?${parameters}`, withPrimary)
      expect(message).toMatch(reason)
      expect(message).toMatch(new RegExp(`^GATEHOUSE_${name}: [^\\n]+$`))
      expect(message).not.toContain('hunter2')
    }
  })

  it('refuses port 0, and shows no part of a password with a stray ? in it', () => {
    expect(refusalOf(name, 'postgres://db.test:0/gatehouse', withPrimary)).toContain('port 0')
    expect(refusalOf(name, 'postgres://ada:12?hunter2=x@db.test/gatehouse', withPrimary)).toMatch(
      /^(?!.*hunter2).* is unknown/,
    )
  })
})

it.each([
  ['MAIL_URL', 'smtp://ada:hunter2@mail:587/'],
  ['MAIL_URL', 'smtp://mail.test?tls=opportunistic'],
  ['MAIL_URL', 'smtp://mail.test?requireTLS=true&tls.rejectUnauthorized=false'],
  ['SMS_URL', 'twilio://AC1:a@default?from=%2B15550100&api=https://sms.test'],
  ['SMS_URL', 'https://:hunter2@sms.test/in?any=1&thing=2'],
  ['SMS_URL', `https://:whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}@sms.test/in`],
  ['STORAGE_URL', 's3://a:b@s3.test/bucket?path_style=0&tls=1&region=eu-1'],
  ['CAPTCHA_URL', 'hcaptcha://site:secret@default/?api=https://captcha.test/verify'],
])('GATEHOUSE_%s takes %s', (name, value) => {
  expect(refusalOf(name, value)).toBe('taken')
})

it.each([
  ['MAIL_URL', 'smtp://ada:hunter2@mail.test?foo=1', '"foo" is unknown there; known are tls, requireTLS'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.test?require_tls=true', '"require_tls" is unknown'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.test?requiretls=true', '"requiretls" is unknown'],
  ['MAIL_URL', 'smtp://192.0.2.2?requireTLS=false', 'requireTLS'],
  ['MAIL_URL', 'smtp://mail.test?secure=true', '"secure" is unknown'],
  ['MAIL_URL', 'smtp://mail.test?tls.rejectUnauthorized=no', 'tls.rejectUnauthorized'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.test:0', 'port 0'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.test/path', 'path'],
  ['MAIL_URL', 'smtp://mail.test#x', '%23'],
  ['MAIL_URL', 'smtp://hunter2@mail.test', 'user and password belong together'],
  ['MAIL_URL', 'smtp://:hunter2@mail.test', 'user and password belong together'],
  ['SMS_URL', 'https://:whsec_hunter2!@sms.test/in', 'whsec_ followed by base64'],
  ['SMS_URL', 'https://:whsec_@sms.test/in', 'whsec_ followed by base64'],
  ['SMS_URL', 'https://hunter2@sms.test/in', 'https://:secret@'],
  ['SMS_URL', 'https://sms.test:0/in', 'port 0'],
  ['SMS_URL', 'twilio://AC1:hunter2@my-proxy.test?from=%2B15550100', '@default'],
  ['SMS_URL', 'twilio://AC1:hunter2@default:99?from=%2B15550100', '@default'],
  ['SMS_URL', 'twilio://AC1:hunter2@default/path?from=%2B15550100', '@default'],
  ['SMS_URL', 'twilio://AC1:hunter2@default?from=%2B15550100&sender=x', '"sender" is unknown'],
  ['SMS_URL', 'twilio://AC1:hunter2@default?from=+15550100', '%2B'],
  ['STORAGE_URL', 's3://a:hunter2@s3.test/bucket?path_style=true', 'path_style'],
  ['STORAGE_URL', 's3://a:hunter2@s3.test/bucket?path_style=yes', 'path_style'],
  ['STORAGE_URL', 's3://a:hunter2@s3.test/bucket?tls=2', 'tls'],
  ['STORAGE_URL', 's3://a:hunter2@s3.test/bucket?tls=1&tls=0', 'tls is given twice'],
  ['CAPTCHA_URL', 'hcaptcha://site:hunter2@my-proxy.test', '@default'],
  ['CAPTCHA_URL', 'hcaptcha://site:hunter2@default?app=https://x', '"app" is unknown there; known are api'],
  ['CAPTCHA_URL', 'hcaptcha://site:hunter2@default/siteverify', '@default'],
])('GATEHOUSE_%s=%s is refused with the reason', (name, value, reason) => {
  const message = refusalOf(name, value)
  expect(message).toContain(reason)
  expect(message).toMatch(new RegExp(`^GATEHOUSE_${name}: [^\\n]+$`))
  expect(message).not.toContain('hunter2')
})
