import type { CaptchaConfig } from '../../config.ts'
import { defineErrors } from '../../core/errors.ts'

export const captchaErrors = defineErrors({
  captcha_unavailable: [503, 'The captcha cannot be checked at the moment. Please try again.'],
})

const timeoutMs = 5_000

/**
 * Asks the provider whether a captcha was solved. reCAPTCHA, hCaptcha and Turnstile share this interface (siteverify). If
 * the provider does not answer, or its answer is invalid, registration is refused with 503.
 */
export async function isCaptchaSolved(config: CaptchaConfig, response: string, ip: string | null): Promise<boolean> {
  const body = new URLSearchParams({ secret: config.secret, response, ...(ip === null ? {} : { remoteip: ip }) })
  try {
    const answer = await fetch(config.api, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const result = answer.ok ? ((await answer.json()) as { success?: unknown } | null) : null
    if (typeof result?.success === 'boolean') return result.success
  } catch {
    // The provider's own message is of no use to the caller.
  }
  throw captchaErrors.captcha_unavailable()
}
