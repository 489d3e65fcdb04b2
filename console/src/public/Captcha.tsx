import { useEffect, useRef, useState } from 'react'
import type { Form } from './form.tsx'
import type { Meta } from './meta.ts'

/** reCAPTCHA, hCaptcha and Turnstile have the same interface in the page. */
interface Widget {
  readonly render: (element: HTMLElement, options: Record<string, unknown>) => string | number
  readonly reset: (id: string | number) => void
}

const scripts: Record<string, { readonly address: string; readonly global: string }> = {
  recaptcha: { address: 'https://www.google.com/recaptcha/api.js', global: 'grecaptcha' },
  hcaptcha: { address: 'https://js.hcaptcha.com/1/api.js', global: 'hcaptcha' },
  turnstile: { address: 'https://challenges.cloudflare.com/turnstile/v0/api.js', global: 'turnstile' },
}

let loading: Promise<Widget> | undefined

/** The provider's script is the one thing that a page ever loads from elsewhere. The policy of the page names its hosts. */
function loadWidget(provider: string): Promise<Widget> {
  loading ??= new Promise<Widget>((done, fail) => {
    const { address, global } = scripts[provider] ?? { address: '', global: '' }
    const page = window as unknown as Record<string, unknown>
    page.captchaReady = () => done(page[global] as Widget)
    const script = document.createElement('script')
    script.src = `${address}?render=explicit&onload=captchaReady`
    script.onerror = () => {
      loading = undefined // the next page tries again
      fail(new Error('blocked'))
    }
    document.head.append(script)
  })
  return loading
}

interface Props {
  readonly provider: NonNullable<Meta['captcha']>
  readonly form: Form
  /** With the response, and with an empty one when it has expired. */
  readonly onSolved: (response: string) => void
}

export function Captcha({ provider, form, onSolved }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<{ api: Widget; id: string | number }>(undefined)
  const [isBlocked, setBlocked] = useState(false)
  const error = form.errors['g-captcha-response']

  useEffect(() => {
    loadWidget(provider.provider)
      .then((api) => {
        if (place.current === null || widget.current !== undefined) return
        const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
        const id = api.render(place.current, {
          sitekey: provider.site_key,
          theme,
          callback: (response: string) => {
            setBlocked(false)
            onSolved(response)
          },
          'expired-callback': () => onSolved(''),
          'error-callback': () => setBlocked(true),
        })
        widget.current = { api, id }
      })
      .catch(() => setBlocked(true))
  }, [provider, onSolved])

  // A response counts once: after a refusal a new one is needed.
  useEffect(() => {
    if (form.isBusy || widget.current === undefined) return
    widget.current.api.reset(widget.current.id)
    onSolved('')
  }, [form.isBusy, onSolved])

  const message = isBlocked ? 'The captcha could not be loaded. Does something in your browser block it?' : error
  return (
    <fieldset className="field captcha" aria-label="Captcha">
      <div ref={place} />
      <p className={message === undefined ? 'message' : 'message wrong'} aria-live="polite">
        {message}
      </p>
    </fieldset>
  )
}
