import { isLoopback, parseCredentialUrl, parsePathUrl, refuse } from './config-values.ts'
import { findExcess, type KnownParameters } from './core/url-parameters.ts'

/** A bucket of an S3-compatible store. */
export interface S3Config {
  /** The address of the bucket, without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
}

export type StorageConfig = { readonly dir: string } | S3Config

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)

/** The value is not repeated, because it may contain a secret. */
const refuseStorage = (why: string): never =>
  refuse(
    'STORAGE_URL',
    `${why}. Write file: and a folder, for example file:./data/avatars, or s3://key:secret@s3.example.com/bucket?region=eu-central-1.`,
  )

/** `file:FOLDER` or `s3://key:secret@host/bucket?region=…&path_style=1&tls=0`; `env` may have the credentials. */
export function parseStorage(text: string, env: Readonly<Record<string, string | undefined>>): StorageConfig {
  if (text.startsWith('s3:')) return parseS3(text, env)
  if (!text.startsWith('file:') || text === 'file:') return refuseStorage('it is neither a folder nor a bucket')
  return { dir: parsePathUrl('STORAGE_URL', 'file', text) }
}

const s3Parameters: KnownParameters = { region: /^/, path_style: /^[01]$/, tls: /^[01]$/ }

function parseS3(text: string, env: Readonly<Record<string, string | undefined>>): S3Config {
  const { url, user, password } = parseCredentialUrl(text) ?? { url: null, user: '', password: '' }
  if (url === null || url.hostname === '') return refuseStorage('it names no host, or has a stray % in it')
  const excess = findExcess(url, s3Parameters)
  if (excess !== undefined) return refuseStorage(`${excess} (path_style and tls are 1 or 0)`)
  const bucket = url.pathname.replaceAll(/^\/|\/$/g, '')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return refuseStorage('the bucket after the host is missing or wrong')
  const accessKeyId = user || env.AWS_ACCESS_KEY_ID || ''
  const secretAccessKey = password || env.AWS_SECRET_ACCESS_KEY || ''
  if (accessKeyId === '' || secretAccessKey === '')
    return refuseStorage('key and secret are missing, there and in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const sessionToken = user === '' ? env.AWS_SESSION_TOKEN || undefined : undefined
  const protocol = url.searchParams.get('tls') === '0' || isLoopback(url.hostname) ? 'http' : 'https'
  const hasPath = url.searchParams.get('path_style') === '1' || isAddress(url.hostname) || url.hostname === 'localhost'
  const endpoint = hasPath ? `${protocol}://${url.host}/${bucket}` : `${protocol}://${bucket}.${url.host}`
  const region = url.searchParams.get('region') || env.AWS_REGION || 'us-east-1'
  return { endpoint, region, accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
