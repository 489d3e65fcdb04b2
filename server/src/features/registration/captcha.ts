import { isIP } from 'node:net'
import type { CaptchaConfig } from '../../config.ts'
import { defineErrors } from '../../core/errors.ts'

export const captchaErrors = defineErrors({
  captcha_unavailable: [503, 'The captcha cannot be checked at the moment. Please try again.'],
})

const timeoutMs = 5_000

/**
 * What is wrong with the keys of the operator, with our request or with the provider itself. All other codes mean the response
 * of the visitor. Sources: https://docs.hcaptcha.com/#siteverify-error-codes-table,
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/,
 * https://developers.google.com/recaptcha/docs/verify
 */
const faults = new Set<unknown>([
  ...['missing-input-secret', 'invalid-input-secret', 'invalid-keys', 'sitekey-secret-mismatch'],
  ...['invalid-widget-id', 'invalid-parsed-secret', 'not-using-dummy-passcode'],
  ...['missing-remoteip', 'invalid-remoteip', 'bad-request', 'internal-error'],
])

/** The provider's answer; throws with the reason if it is none. */
async function ask(api: string, body: URLSearchParams): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await fetch(api, { method: 'POST', body, redirect: 'error', signal })
  if (!answer.ok) throw new Error(`its status is ${answer.status}`)
  const { success, 'error-codes': codes } = parseAnswer(await answer.text())
  if (typeof success !== 'boolean') throw new Error('its answer is not valid')
  const fault = Array.isArray(codes) ? codes.find((code) => faults.has(code)) : undefined
  if (!success && fault !== undefined) throw new Error(`it answered ${fault}`)
  return success
}

/** The message of a parser would quote the answer. */
function parseAnswer(text: string): { success?: unknown; 'error-codes'?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/**
 * Asks the provider whether a captcha was solved. reCAPTCHA, hCaptcha and Turnstile share this interface (siteverify). If
 * the provider does not answer, or does not accept our keys, registration is refused with 503; the log has the reason.
 */
export async function isCaptchaSolved(
  { provider, secret, api }: CaptchaConfig,
  response: string,
  ip: string | null,
): Promise<boolean> {
  // Callers on the Unix socket are named `unix`, which is no address.
  const caller: Record<string, string> = ip !== null && isIP(ip) !== 0 ? { remoteip: ip } : {}
  const body = new URLSearchParams({ secret, response, ...caller })
  try {
    return await ask(api, body)
  } catch (error) {
    const cause = new Error(`${provider} at ${new URL(api).host}`, { cause: error })
    throw Object.assign(captchaErrors.captcha_unavailable(), { cause })
  }
}
