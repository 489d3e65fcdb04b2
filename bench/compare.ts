import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { byId, inTurn, leavesACore, moveNext } from './cases.ts'
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
other, so that what else the machine does meets both. Shows processor time per answer, its ratio in neighbouring turns, and
answers a second. The server that starts first, and chance in where a process lies in memory, can make 8 % on a virtual
machine: run it again the other way round.

  CASE            ${Object.keys(nextOf).join(', ')}
  --name NAME     gatehouse (default) or gatehouse-pg
  --sort NAME     of the list: ${sorts.join(', ')}
  --users N       (default 10000)
  --connections N (default 16)
  --turns N       of each (default 40)
  --processes N   of OTHER (default 1): with "." as OTHER, several processes (GATEHOUSE_PROCESSES) beside a single one, and
                  beside as many servers that know nothing of each other: processes that share a processor cost
                  more, whatever they do. On two cores, give all of them one, and the generator the other:
                  BENCH_SERVER_CPUS=0 taskset -c 1 npm run bench -- compare by-id . --processes 2
`

type Side = Awaited<ReturnType<typeof start>>

interface Servers {
  readonly processes?: number
  /** How many servers, which share the load. */
  readonly servers?: number
}

let places = 0

/** Contenders of a checkout, started by that checkout's own code. */
async function start(checkout: string, { name, users }: Options, { processes = 1, servers = 1 }: Servers = {}) {
  const module = pathToFileURL(resolve(checkout, 'bench/contenders.ts')).href
  const { startContenders: startThere } = (await import(module)) as { startContenders: typeof startContenders }
  const stages: Awaited<ReturnType<typeof startThere>>[] = []
  try {
    for (let nth = 0; nth < servers; nth++) {
      const cache = join(tmpdir(), `gatehouse-compare-${++places}${resolve(checkout).replaceAll('/', '-')}`)
      stages.push(await startThere(createPlace(cache), users, [name], { GATEHOUSE_PROCESSES: String(processes) }))
    }
  } catch (error) {
    for (const stage of stages) await stage.stop()
    throw error
  }
  const kind = `${processes > 1 ? `, ${processes} processes` : ''}${servers > 1 ? `, ${servers} servers` : ''}`
  return {
    label: `${checkout}${kind}`,
    stages,
    contenders: stages.map((stage) => stage.contenders.get(name) as Contender),
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
  readonly processes: number
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
      processes: text('1'),
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const [what = '', other] = positionals
  if (!Object.hasOwn(nextOf, what) || other === undefined) throw new UsageError(`name a case and a checkout\n${help}`)
  const { name, sort } = values
  if (name !== 'gatehouse' && name !== 'gatehouse-pg') throw new UsageError('--name: gatehouse or gatehouse-pg')
  if (!sorts.some((one) => one === sort)) throw new UsageError(`--sort: one of ${sorts.join(', ')}`)
  const count = (of: 'users' | 'connections' | 'turns' | 'processes', least = 1) =>
    number(of, values[of], (value) => Number.isInteger(value) && value >= least)
  return {
    what,
    other,
    name,
    sort,
    users: count('users', 5_000),
    connections: count('connections'),
    turns: count('turns'),
    processes: count('processes'),
  }
}

async function takeTurns(sides: readonly Side[], { what, name, sort, connections, turns }: Options): Promise<void> {
  const nextFor = nextOf[what] as Next
  const asks = sides.map(({ contenders }) => contenders.map((contender) => nextFor(contender, sort)))
  const sleepless = leavesACore(name) && what !== 'login'
  for (let turn = -1; turn < turns; turn++) {
    const entries = [...sides.entries()] // none is always the first
    for (const [at, { contenders, cpu, rates }] of turn % 2 === 0 ? entries : entries.reverse()) {
      const maxMs = turn < 0 ? warmUpMs : turnMs
      const each = Math.ceil(connections / contenders.length)
      const cpuSeconds = () => sum(contenders.map(({ server }) => server.cpuSeconds()))
      const before = cpuSeconds()
      const loads = contenders.map(({ server: { port } }, which) =>
        runLoad({ port, connections: each, next: asks[at]?.[which] as never, sleepless, maxMs }),
      )
      const done = await Promise.all(loads)
      if (turn < 0) continue
      cpu.push(((cpuSeconds() - before) * 1e6) / sum(done.map(({ count }) => count)))
      rates.push(sum(done.map(({ perSecond }) => perSecond)))
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const shareOf = (values: readonly number[], share: number): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    share,
  )

function show({ label, cpu, rates }: Side): void {
  const times = `lowest tenth ${shareOf(cpu, 0.1).toFixed(1)} µs, median ${shareOf(cpu, 0.5).toFixed(1)} µs`
  say(`${label.padEnd(40)} processor time: ${times}; ${shareOf(rates, 0.5).toFixed(0)}/s`)
}

/** The ratio in neighbouring turns: a few seconds later the machine may be half as fast, which distorts medians over all turns. */
function showRatio(one: Side, other: Side): void {
  const ratios = one.cpu.map((cpu, turn) => cpu / (other.cpu[turn] as number))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => shareOf(ratios, share).toFixed(3))
  say(`${one.label} / ${other.label}: ${middle} × the processor time (quartiles ${low} and ${high})`)
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
    const { other, processes } = options
    sides.push(await start(resolve(import.meta.dirname, '..'), options))
    if (processes > 1) sides.push(await start(other, options, { servers: processes }))
    sides.push(await start(other, options, { processes }))
    await takeTurns(sides, options)
    sides.forEach(show)
    for (const side of sides.slice(1)) showRatio(sides[0] as Side, side)
  } finally {
    for (const stage of sides.flatMap(({ stages }) => stages)) await stage.stop()
  }
  return 0
}
