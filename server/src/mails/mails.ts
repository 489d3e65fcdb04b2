/** A mail with sample values. */
interface MailKind<T> {
  /** What the values look like. An empty name is left out of the mail. */
  readonly sample: T
  /** How long the link in it works; null where the body holds no token. */
  readonly linkLivesMs: number | null
}

const hourMs = 3_600_000

/** How long the links of mails work, in milliseconds. A mail is sent no later. */
export const linkLivesMs = {
  confirmation: 24 * hourMs,
  invitation: 72 * hourMs,
  passwordReset: hourMs,
  secureAccount: 72 * hourMs,
} as const

const mail = <T>(sample: T): MailKind<T> => ({ sample, linkLivesMs: null })
const linkMail = <T>(sample: T, livesMs: number): MailKind<T> => ({ sample, linkLivesMs: livesMs })

interface NamedKey {
  readonly name: string
  /** Null for never. */
  readonly lastUsed: string | null
}

const name = 'Ada'
const at = '2026-01-15 12:00:00'
const link =
  'http://gatehouse.test/reset-password#token=abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE&email=ada%40example.com'

const secureLink = 'http://gatehouse.test/secure-account#token=abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE'

/** What every mail about the security of an account has: the link that secures it. */
interface Secured {
  readonly name: string
  readonly at: string
  readonly secureLink: string
}
const securityMail = <T extends object>(sample: T): MailKind<T & Secured> =>
  linkMail({ ...sample, name, at, secureLink }, linkLivesMs.secureAccount)

/** The mails by the names of their folders in `mails/en`. Text in the values may come from users: templates escape it. */
export const mails = {
  'confirm-email': linkMail({ link }, linkLivesMs.confirmation),
  invitation: linkMail({ link, hours: 72 }, linkLivesMs.invitation),
  'reset-password': linkMail({ name, link, minutes: 60 }, linkLivesMs.passwordReset),
  'password-changed': mail<{
    name: string
    at: string
    /** How many API keys were revoked with it. */
    revoked: number
    /** Keys that still work. */
    keys: readonly NamedKey[]
    /** How many keys beyond those are not named. */
    more: number
  }>({ name, at, revoked: 1, keys: [{ name: 'Nightly import', lastUsed: at }], more: 2 }),
  'email-changed': securityMail({ newEmail: 'new@example.com', byAdministrator: false }),
  'two-factor-on': securityMail({ factor: 'Authenticator app' }),
  'two-factor-off': securityMail({ factor: 'Passkey', isLast: true, byAdministrator: true }),
  /** `platform` may be empty. */
  'new-sign-in': securityMail({ browser: 'Firefox', platform: 'Linux', network: '203.0.113.7' }),
  'api-key-created': securityMail({ key: 'Backups', isRotated: false }),
  'mightier-role': securityMail({ role: 'Support' }),
  'recovery-codes-low': securityMail({ left: 2 }),
  'too-many-codes': mail({ name, at, until: at }),
  'sms-cap-near': mail({ count: 800, cap: 1000, at }),
  'sign-ins-failing': mail({ name, count: 120, before: 7, at }),
  'webhook-disabled': mail({ name, url: 'https://example.com/hooks', at }),
  test: mail({ at }),
}

export type MailName = keyof typeof mails
export type MailValues<N extends MailName> = (typeof mails)[N]['sample']

/** The text messages, in the same folder. */
export type SmsName = 'two-factor-enrolment' | 'two-factor-login'
export interface SmsValues {
  readonly code: string
  readonly minutes: number
}
