import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { byId, inTurn, moveNext } from './cases.ts'
import { loginNext } from './cases-own.ts'
import type { Contender, Name, startContenders } from './contenders.ts'
import { type Ask, percentile, runLoad } from './load.ts'
import { say } from './measure.ts'
import { number, UsageError } from './options.ts'
import { createPlace } from './seed.ts'
import { sorts } from './truth.ts'

const turnMs = 400
const warmUpMs = 3_000

type Next = (contender: Contender, sort: string) => (index: number) => Ask

const nextOf: Readonly<Record<string, Next>> = {
  'by-id': (contender) => byId(contender, 1).next,
  list: ({ api, truth }, sort) => inTurn([api.list({ sort }, truth.first[sort as keyof typeof truth.first]) as Ask]),
  update: moveNext,
  login: loginNext,
}

const help = `usage: npm run bench -- compare CASE OTHER [OPTION...]

Compares Gatehouse in this checkout with that in OTHER, another checkout with its packages installed: short turns, one after the
other, so that what else the machine does meets both. Shows processor time per answer and answers a second.

  CASE            ${Object.keys(nextOf).join(', ')}
  --name NAME     gatehouse (default) or gatehouse-pg
  --sort NAME     of the list: ${sorts.join(', ')}
  --users N       (default 10000)
  --connections N (default 16)
  --turns N       of each (default 40)
`

type Side = Awaited<ReturnType<typeof start>>

/** The contender of a checkout, started by that checkout's own code. */
async function start(checkout: string, name: Name, users: number) {
  const module = pathToFileURL(resolve(checkout, 'bench/contenders.ts')).href
  const { startContenders: startThere } = (await import(module)) as { startContenders: typeof startContenders }
  const cache = join(tmpdir(), `gatehouse-compare${resolve(checkout).replaceAll('/', '-')}`)
  const stage = await startThere(createPlace(cache), users, [name])
  return {
    checkout,
    stage,
    contender: stage.contenders.get(name) as Contender,
    cpu: [] as number[],
    rates: [] as number[],
  }
}

interface Options {
  readonly what: string
  readonly other: string
  readonly name: Name
  readonly sort: string
  readonly users: number
  readonly connections: number
  readonly turns: number
}

/** Undefined for help. */
function readOptions(args: readonly string[]): Options | undefined {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: text('gatehouse'),
      sort: text('id'),
      users: text('10000'),
      connections: text('16'),
      turns: text('40'),
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const [what = '', other] = positionals
  if (!Object.hasOwn(nextOf, what) || other === undefined) throw new UsageError(`name a case and a checkout\n${help}`)
  const { name, sort } = values
  if (name !== 'gatehouse' && name !== 'gatehouse-pg') throw new UsageError('--name: gatehouse or gatehouse-pg')
  if (!sorts.some((one) => one === sort)) throw new UsageError(`--sort: one of ${sorts.join(', ')}`)
  const count = (of: 'users' | 'connections' | 'turns', least = 1) =>
    number(of, values[of], (value) => Number.isInteger(value) && value >= least)
  return {
    what,
    other,
    name,
    sort,
    users: count('users', 5_000),
    connections: count('connections'),
    turns: count('turns'),
  }
}

async function takeTurns(sides: readonly Side[], { what, name, sort, connections, turns }: Options): Promise<void> {
  const asks = sides.map(({ contender }) => (nextOf[what] as Next)(contender, sort))
  const sleepless = !name.endsWith('-pg') && what !== 'login'
  for (let turn = -1; turn < turns; turn++) {
    const entries = [...sides.entries()] // none is always the first
    for (const [at, { contender, cpu, rates }] of turn % 2 === 0 ? entries : entries.reverse()) {
      const { port, cpuSeconds } = contender.server
      const before = cpuSeconds()
      const maxMs = turn < 0 ? warmUpMs : turnMs
      const { count, perSecond } = await runLoad({ port, connections, next: asks[at] as never, sleepless, maxMs })
      if (turn < 0) continue
      cpu.push(((cpuSeconds() - before) * 1e6) / count)
      rates.push(perSecond)
    }
  }
}

function show({ checkout, cpu, rates }: Side): void {
  const of = (values: readonly number[], share: number) =>
    percentile(
      values.toSorted((a, b) => a - b),
      share,
    )
  const times = `lowest tenth ${of(cpu, 0.1).toFixed(1)} µs, median ${of(cpu, 0.5).toFixed(1)} µs`
  say(`${checkout.padEnd(40)} processor time: ${times}; ${of(rates, 0.5).toFixed(0)}/s`)
}

/** Returns the exit code. */
export async function runCompare(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(help)
    return 0
  }
  const sides: Side[] = []
  try {
    for (const checkout of [resolve(import.meta.dirname, '..'), options.other])
      sides.push(await start(checkout, options.name, options.users))
    await takeTurns(sides, options)
    sides.forEach(show)
  } finally {
    for (const { stage } of sides) await stage.stop()
  }
  return 0
}
