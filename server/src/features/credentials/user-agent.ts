import Bowser from 'bowser'
import type { SessionRow } from './sessions.table.ts'

/** For any other user agent Bowser returns all that stands before a slash, which may be sentences, and gets into mail. */
const knownNames = new Set(Object.values(Bowser.BROWSER_MAP))

/** A readable name of the user agent. */
export function describeAgent(userAgent: string | null): Pick<SessionRow, 'browser' | 'platform' | 'device'> {
  if (userAgent === null || userAgent.trim() === '') return { browser: null, platform: null, device: null }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const kind = platform.type ?? null
  // Clients other than browsers name themselves first (RFC 9110 §10.1.5): `curl/8.14.1`.
  const program = /^([\w.-]{1,50})\//.exec(userAgent)?.[1] ?? null
  return {
    browser: browser.name !== undefined && knownNames.has(browser.name) ? browser.name : program,
    platform: os.name || null,
    device: platform.model ?? (kind === null ? null : kind[0]?.toUpperCase() + kind.slice(1)),
  }
}
