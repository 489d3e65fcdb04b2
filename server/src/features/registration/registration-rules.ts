import type { CaptchaConfig, Config } from '../../config.ts'
import type { Settings } from '../settings/settings.schemas.ts'

/** What registration asks of people, by the settings. */
export interface RegistrationRules {
  readonly isOpen: boolean
  /** True if an account is Unconfirmed until its email address is confirmed. */
  readonly mustConfirm: boolean
  /** True if an account may be without a password: its confirmed address starts the first session, which adds a passkey. */
  readonly mayLackPassword: boolean
  /** The terms to accept; null if there are none. */
  readonly terms: { readonly version: string | null; readonly url: string | null } | null
  readonly asksCaptcha: boolean
  /** The provider; null if no captcha is asked for, or if the provider was removed from the configuration: then nobody can register. */
  readonly captcha: CaptchaConfig | null
}

export function registrationRules(settings: Settings, config: Pick<Config, 'captcha'>): RegistrationRules {
  const mustConfirm = settings['registration.email_confirmation']
  const asksCaptcha = settings['registration.captcha']
  return {
    isOpen: settings['registration.enabled'],
    mustConfirm,
    mayLackPassword: mustConfirm && !settings['password.required'],
    terms: settings['registration.terms']
      ? { version: settings['registration.terms_version'], url: settings['registration.terms_url'] }
      : null,
    asksCaptcha,
    captcha: asksCaptcha ? config.captcha : null,
  }
}
