import { parseCredentialUrl, refuse } from './config-values.ts'

/** An OpenTelemetry collector. */
export interface OtlpConfig {
  /** Without credentials and a trailing slash. */
  readonly url: string
  /** The header `Authorization`; null for none. */
  readonly authorization: string | null
}

/** `http(s)://user:password@host:4318`, to which `/v1/traces` is added. The value is not repeated: it may contain a password. */
export function parseOtlp(text: string): OtlpConfig | null {
  if (text === '') return null
  const { url, user, password } = parseCredentialUrl(text) ?? { url: null, user: '', password: '' }
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isHttp || url.search !== '' || url.hash !== '')
    return refuse(
      'OTLP_URL',
      'write the http or https address of an OpenTelemetry collector without query and fragment, for example http://localhost:4318.',
    )
  const credentials = Buffer.from(`${user}:${password}`).toString('base64')
  return {
    url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    authorization: user === '' && password === '' ? null : `Basic ${credentials}`,
  }
}
