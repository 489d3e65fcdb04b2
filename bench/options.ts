import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { type Name, names } from './contenders.ts'

export interface Options {
  readonly cases: readonly string[]
  readonly users: readonly number[]
  readonly contenders: readonly Name[]
  /** Of one round of one contender. */
  readonly seconds: number
  readonly rounds: number
  readonly cache: string
  /** Whether the figures are written into docs/benchmarks.md. */
  readonly write: boolean
}

export class UsageError extends Error {}

const list = (of: Record<string, { what: string }>) =>
  Object.entries(of)
    .map(([name, { what }]) => `  ${name.padEnd(12)} ${what}`)
    .join('\n')

export const help = `usage: npm run bench [-- NAME...] [-- OPTION...]

Measures Gatehouse on this machine beside others that do the same work, checks every answer, and prints medians and ratios.
A run of everything also writes them into docs/benchmarks.md.
\`npm run bench -- compare\` takes turns with another checkout of Gatehouse; \`-- compare --help\` says more.
\`npm run bench -- hardening\` measures what is promised of security, each figure with a control; \`-- hardening --help\` says more.
\`npm run bench -- moving\` imports, exports and changes many users; \`-- moving --help\` says more.
\`-- webhooks\` sends events to ten endpoints, \`-- feed\` reads them at three nodes.
\`npm run bench -- fuzz\` sends a million requests made from the schemas; \`-- fuzz --help\` says more.

${list(cases)}

  --users 10000,100000    how many users, each in its turn (default 10000,100000,1000000)
  --contenders a,b        ${names.join(', ')} (default all)
  --seconds 2             of one round of one contender (some cases take a part of it)
  --rounds 5              the medians are over these
  --quick                 10,000 users, 0.5 s, 3 rounds
  --write                 write docs/benchmarks.md after a run of some cases, too
  --cache DIR             where seeded data are kept (default in ${tmpdir()}, for PostgreSQL must be able to get there)
  --help                  show this

BENCH_SYNC_MS=2 makes each sync of the disk take 2 ms longer for the servers (Linux, with strace), as on a disk that is slower than
this one. It does not slow PostgreSQL's own.
`

const settings = {
  users: { type: 'string' },
  contenders: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  quick: { type: 'boolean' },
  write: { type: 'boolean' },
  cache: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The value of a numeric option. */
export const number = (name: string, text: string, isGood: (value: number) => boolean): number => {
  const value = Number(text.replaceAll('_', ''))
  if (text === '' || !isGood(value)) throw new UsageError(`--${name}: "${text}" cannot be used`)
  return value
}

/** The parsed options of the command line; undefined for help. */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const unknown = positionals.find((name) => !Object.hasOwn(cases, name))
  if (unknown !== undefined) {
    throw new UsageError(`there is no benchmark "${unknown}". There are: ${Object.keys(cases).join(', ')}`)
  }
  const { users = values.quick ? '10000' : '10000,100000,1000000', contenders = names.join(',') } = values
  const isCount = (value: number) => Number.isInteger(value) && value >= 1
  const wanted = contenders.split(',').map((name) => {
    const known = names.find((each) => each === name)
    if (known === undefined) throw new UsageError(`there is no contender "${name}". There are: ${names.join(', ')}`)
    return known
  })
  return {
    cases: positionals.length === 0 ? Object.keys(cases) : positionals,
    users: users.split(',').map((text) => number('users', text, (value) => isCount(value) && value >= 5_000)),
    contenders: wanted,
    seconds: number('seconds', values.seconds ?? (values.quick ? '0.5' : '2'), (value) => value > 0),
    rounds: number('rounds', values.rounds ?? (values.quick ? '3' : '5'), isCount),
    cache: values.cache ?? join(tmpdir(), `gatehouse-bench-${userInfo().username}`),
    write: values.write ?? (positionals.length === 0 && !values.quick && values.contenders === undefined),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: settings, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
