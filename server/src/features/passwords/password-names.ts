import type { Config } from '../../config.ts'
import { parseSender, serviceNameOf } from '../../core/sender.ts'

/** Names of the person whose password it is. */
export interface PasswordOwner {
  readonly email?: string | null | undefined
  readonly username?: string | null | undefined
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
}

const shortest = 3
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}\p{M}]+/u)

/** The words that an attacker who knows the person and the service tries first: their names, whole, joined and in parts. */
export function namesAround(owner: PasswordOwner, config: Pick<Config, 'mailFrom' | 'publicUrl'>): string[] {
  const { email, username, first_name: first, last_name: last } = owner
  const whole = [email, email?.split('@')[0], username, first, last].filter((name) => name != null)
  const pairs =
    first && last ? [' ', '', '.', '-', '_'].flatMap((sign) => [first + sign + last, last + sign + first]) : []
  const service = ['gatehouse', serviceNameOf(config), new URL(config.publicUrl).hostname]
  const { domain } = parseSender(config.mailFrom)
  const names = [...whole, ...pairs, ...service, domain]
  const parts = names.map(wordsOf)
  const joined = parts.map((words) => words.join(''))
  const all = [...names, ...joined, ...parts.flat()].map((name) => name.normalize('NFC').toLowerCase())
  return [...new Set(all)].filter((name) => name.length >= shortest)
}
