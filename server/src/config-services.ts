import { Webhook } from 'standardwebhooks'
import { isLoopback, parseCredentialUrl, refuse } from './config-values.ts'
import { isEmail, isHttpUrl } from './core/formats.ts'
import { parseSender } from './core/sender.ts'
import { findExcess, type KnownParameters } from './core/url-parameters.ts'

export type SmsConfig =
  | { kind: 'twilio'; accountSid: string; authToken: string; from: string; api: string }
  | { kind: 'gateway'; url: string; secret: string | null }

export interface CaptchaConfig {
  provider: 'recaptcha' | 'hcaptcha' | 'turnstile'
  siteKey: string
  secret: string
  /** The address that verifies answers (siteverify). */
  api: string
}

const hasNoPath = ({ pathname }: URL): boolean => pathname === '' || pathname === '/'

/** Where the host is the provider's own. */
const isDefault = (url: URL): boolean => url.host === 'default' && hasNoPath(url)

function refuseExcess(name: string, url: URL, known: KnownParameters, advice: string): void {
  const excess = findExcess(url, known)
  if (excess !== undefined) refuse(name, `${excess}. ${advice}.`)
}

const mailParameters: KnownParameters = {
  tls: /^opportunistic$/,
  requireTLS: /^true$/,
  'tls.rejectUnauthorized': /^false$/,
}

/** The value is not repeated, because it may contain a password. nodemailer would take its options from the parameters, too. */
export function parseMail(text: string): { url: string } | null {
  if (text === 'capture:') return null
  const { url, user, password } = parseCredentialUrl(text) ?? { url: null, user: '', password: '' }
  const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:'
  if (url === null || !isSmtp || url.hostname === '' || !hasNoPath(url)) {
    return refuse(
      'MAIL_URL',
      'write smtp://user:password@host:587, smtps://user:password@host, both without a path, or capture: to keep mail here. In a password, # / ? and @ are %23 %2F %3F and %40.',
    )
  }
  if ((user === '') !== (password === ''))
    return refuse('MAIL_URL', 'user and password belong together: write smtp://user:password@host, or neither.')
  const tls = url.searchParams.get('tls')
  if (tls !== null && (tls !== 'opportunistic' || url.protocol !== 'smtp:'))
    return refuse(
      'MAIL_URL',
      'tls= can only be "opportunistic", in smtp://: mail then goes out without TLS where the server has none.',
    )
  refuseExcess(
    'MAIL_URL',
    url,
    mailParameters,
    'After ? there can be tls=opportunistic, requireTLS=true and tls.rejectUnauthorized=false',
  )
  return { url: text }
}

export function parseMailFrom(text: string): string {
  if (isEmail(parseSender(text).address)) return text
  return refuse('MAIL_FROM', `"${text}" is not a sender. Write for example Gatehouse <no-reply@example.com>.`)
}

const smsForms =
  'Write twilio://SID:TOKEN@default?from=%2B15550100, https://:secret@ and the address of a gateway, or capture: to keep SMS here'

export function parseSms(text: string): SmsConfig | null {
  if (text === 'capture:') return null
  const { url, user, password } = parseCredentialUrl(text) ?? { url: null, user: '', password: '' }
  if (url?.protocol === 'twilio:') return parseTwilio(url, user, password)
  const isGateway = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isGateway || (user !== '' && password === ''))
    return refuse('SMS_URL', `it is neither Twilio nor the https:// address of a gateway. ${smsForms}.`)
  if (url.port === '0') return refuse('SMS_URL', 'nothing can be reached at port 0.')
  if (password.startsWith('whsec_') && !isWebhookSecret(password))
    return refuse('SMS_URL', 'the secret is not whsec_ followed by base64 (with % before what a URL does not take).')
  url.username = ''
  url.password = ''
  return { kind: 'gateway', url: url.href, secret: password || null }
}

/** The parameters of a gateway are its own; those of Twilio are read here. */
function parseTwilio(url: URL, accountSid: string, authToken: string): SmsConfig {
  const from = url.searchParams.get('from') ?? ''
  if (accountSid === '' || authToken === '' || from.trim() === '' || !isDefault(url))
    return refuse('SMS_URL', `the address of Twilio lacks a part, or has one that is not used. ${smsForms}.`)
  // A bare + in a query is a space.
  refuseExcess('SMS_URL', url, { from: /^\S/, api: /^/ }, 'The + of a number is written %2B')
  const api = parseApi('SMS_URL', url, 'https://api.twilio.com').replace(/\/+$/, '')
  return { kind: 'twilio', accountSid, authToken, from, api }
}

function isWebhookSecret(secret: string): boolean {
  try {
    return new Webhook(secret) instanceof Webhook
  } catch {
    return false
  }
}

/** `?api=` names another server with the provider's interface. */
function parseApi(name: string, url: URL, otherwise: string): string {
  const api = url.searchParams.get('api') ?? otherwise
  if (isHttpUrl(api)) return api
  return refuse(name, 'write an http or https address without credentials as api=.')
}

const siteverify = {
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}

export function parseCaptcha(text: string): CaptchaConfig | null {
  if (text === '') return null
  const { url, user: siteKey, password: secret } = parseCredentialUrl(text) ?? { url: null, user: '', password: '' }
  const provider = (Object.keys(siteverify) as CaptchaConfig['provider'][]).find((name) => url?.protocol === `${name}:`)
  if (url === null || provider === undefined || siteKey === '' || secret === '' || !isDefault(url)) {
    return refuse('CAPTCHA_URL', 'write recaptcha://SITEKEY:SECRET@default, hcaptcha://… or turnstile://….')
  }
  refuseExcess('CAPTCHA_URL', url, { api: /^/ }, 'Another address that verifies answers is ?api=https://…')
  return { provider, siteKey, secret, api: parseApi('CAPTCHA_URL', url, siteverify[provider]) }
}
