import { accessSync, constants } from 'node:fs'
import { findExcess, type KnownParameters } from '../../core/url-parameters.ts'
import { type Timeouts, takeTimeouts, timeoutNames } from './timeouts.ts'

/** Which of several hosts to use: any, or the one that can be written to. */
export type SessionAttributes = 'any' | 'read-write' | 'primary'
const knownAttributes: readonly string[] = ['any', 'read-write', 'primary'] satisfies SessionAttributes[]

/** pg cannot go on without TLS where a server has none, so `prefer` needs TLS, too. */
const knownModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

const any = /^/

/** What is read here, and what pg reads of libpq's parameters. It ignores all others, a misspelt `sslmode` too. */
const known: KnownParameters = {
  target_session_attrs: any,
  sslmode: any,
  sslrootcert: any,
  sslcert: any,
  sslkey: any,
  sslnegotiation: /^(postgres|direct)$/,
  ssl: /^(true|1|0|no-verify)$/,
  uselibpqcompat: /^(true|false)$/,
  ...Object.fromEntries(timeoutNames.map((name) => [name, any])),
  application_name: any,
  fallback_application_name: any,
  options: any,
  client_encoding: /^utf-?8$/i,
  host: any,
  port: /^[1-9]\d{0,4}$/,
  user: any,
  password: any,
}

export interface HostList {
  /** An address for each host. */
  readonly urls: readonly string[]
  readonly attributes: SessionAttributes
  readonly timeouts: Timeouts
}

/** Makes pg read `sslmode` as libpq does, which it does only when it is told to, with a warning otherwise. */
function readTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  const root = parameters.get('sslrootcert')
  if (mode !== null && !knownModes.includes(mode)) throw new Error(`sslmode can be ${knownModes.join(', ')}`)
  if (mode === 'verify-ca' && root === null) throw new Error('sslmode=verify-ca needs sslrootcert=/path/ca.pem')
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = parameters.get(name)
    if (path === null || (name === 'sslrootcert' && path === 'system')) continue
    try {
      accessSync(path, constants.R_OK)
    } catch {
      throw new Error(`${name}: ${path} cannot be read`)
    }
  }
  // Node's own list of authorities; pg would look for a file of that name.
  if (root === 'system') parameters.delete('sslrootcert')
  if (root === 'system' && mode !== 'disable') parameters.set('sslmode', 'verify-full')
  if (parameters.has('sslmode') && !parameters.has('uselibpqcompat')) parameters.set('uselibpqcompat', 'true')
}

/**
 * Reads `postgres://user:password@a:5432,b/database?target_session_attrs=read-write`, as libpq has it. With several hosts the
 * one that takes writes is meant unless the address says otherwise. Throws with the reason.
 */
export function parseHosts(text: string): HostList {
  const [, start, list = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? []
  if (start === undefined) throw new Error('it is no address of PostgreSQL')
  const hosts = list.split(',')
  const urls = hosts.map((host) => {
    const url = URL.parse(start + host + rest)
    if (url === null || (hosts.length > 1 && host === '')) throw new Error('a host or port in it is wrong')
    return url
  })
  for (const url of urls) {
    const excess = findExcess(url, known)
    if (excess !== undefined) throw new Error(excess)
  }
  const given = urls[0]?.searchParams.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any')
  if (!knownAttributes.includes(given)) throw new Error(`target_session_attrs can be ${knownAttributes.join(', ')}`)
  const timeouts = urls.map(({ searchParams }) => {
    searchParams.delete('target_session_attrs')
    readTls(searchParams)
    return takeTimeouts(searchParams)
  })
  return {
    urls: urls.map(({ href }) => href),
    attributes: given as SessionAttributes,
    timeouts: timeouts[0] as Timeouts,
  }
}

/** The names of the hosts in an address, for people. */
export const hostsOf = (text: string): string => {
  const { urls } = parseHosts(text)
  return urls.map((url) => new URL(url).host || 'localhost').join(', ')
}
