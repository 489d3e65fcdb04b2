import { cases } from './cases.ts'
import { startContenders } from './contenders.ts'
import { type Bench, say } from './measure.ts'
import { help, type Options, parseOptions, UsageError } from './options.ts'
import { printTargets, writeReport } from './report.ts'
import { commit, loadNow, machine, type Size } from './results.ts'
import { createPlace, type Place } from './seed.ts'

async function measureSize(place: Place, options: Options, users: number, command: string): Promise<Size> {
  say(`\n${users} users`)
  const stage = await startContenders(place, users, options.contenders)
  const loadBefore = loadNow()
  const began = performance.now()
  const bench: Bench = {
    users,
    seconds: options.seconds,
    rounds: options.rounds,
    contenders: stage.contenders,
    measurements: [],
    facts: [],
    checks: [],
  }
  try {
    for (const name of Object.keys(cases)) {
      if (options.cases.includes(name)) await cases[name]?.run(bench)
    }
  } finally {
    await stage.stop()
  }
  const took = (performance.now() - began) / 1000
  const { seconds, rounds, measurements, facts, checks } = bench
  const date = new Date().toISOString().slice(0, 10)
  const where = { users, date, commit: commit(), machine: machine(), command }
  return { ...where, took, loadBefore, seconds, rounds, measurements, facts, checks }
}

/** Runs what was requested, one size after the other; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (options === undefined) {
    process.stdout.write(help)
    return 0
  }
  const place = createPlace(options.cache)
  const command = ['npm run bench', ...(args.length > 0 ? ['--'] : []), ...args].join(' ')
  const sizes: Size[] = []
  for (const users of options.users) {
    const size = await measureSize(place, options, users, command)
    sizes.push(size)
    if (options.write) writeReport([size]) // each when it is finished: a later one may take long
  }
  printTargets(sizes)
  return 0
}

/** What needs no contender, or chooses its own. */
const apart: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  hardening: async (args) => (await import('./hardening/main.ts')).runHardening(args),
  compare: async (args) => (await import('./compare.ts')).runCompare(args),
  moving: async (args) => (await import('./moving.ts')).runMoving(args),
  webhooks: async (args) => (await import('./webhooks.ts')).runWebhooks(args),
  feed: async (args) => (await import('./feed.ts')).runFeed(args),
  fuzz: async (args) => (await import('./fuzz.ts')).runFuzz(args),
}

/** Runs what the first word names; returns the exit code. */
function run([first = '', ...rest]: readonly string[]): Promise<number> {
  const program = Object.hasOwn(apart, first) ? apart[first] : undefined
  return program === undefined ? main(process.argv.slice(2)) : program(rest)
}

const code = await run(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof UsageError
  process.stderr.write(`bench: ${isUsage ? error.message : String((error as Error)?.stack ?? error)}\n`)
  return isUsage ? 2 : 1
})
process.exit(code)
