import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { labels, type Name, names } from './contenders.ts'
import { say } from './measure.ts'
import { latencyPlot, ratePlot } from './plots.ts'
import { docs, find, findFact, keepResults, type Size, speedRatio } from './results.ts'
import { findTargets } from './targets.ts'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const figure = (value: number): string => (value >= 100 ? whole(value) : value.toPrecision(value >= 10 ? 3 : 2))
const times = (a: number | undefined, b: number | undefined): string => (a && b ? figure(a / b) : '')

const targetRows = (sizes: readonly Size[]) =>
  findTargets(sizes).map(({ what, target, measured, verdict }) => [what, target, measured, verdict])

/** The targets, met and missed, on the terminal. */
export function printTargets(sizes: readonly Size[]): void {
  const rows = targetRows(sizes).filter(([, , measured]) => measured !== 'not measured')
  if (rows.length > 0) say(`\n${table(['what', 'target', 'measured', ''], rows)}`)
}

const compared = names.filter((name) => name !== 'node-http')

/** Cases by answers a second (many connections), then cases by the milliseconds of one answer (one connection). */
const rates = ['by-id', 'list', 'narrow', 'update', 'mixed', 'create', 'login']
const delays = ['broad', 'short', 'filtered', 'deep', 'walk']
const streams = ['meanwhile', 'login-flood', 'update-load']

const variantsOf = (size: Size, of: string): string[] => [
  ...new Set(size.measurements.filter((each) => each.case === of).map(({ variant }) => variant)),
]

function comparison(size: Size, cases: readonly string[], value: 'perSecond' | 'p50'): string {
  const rows = cases.flatMap((of) =>
    variantsOf(size, of).map((variant) => {
      const get = (name: Name) => find(size, of, variant, name)?.[value]
      const better = (a: Name, b: Name) =>
        value === 'p50'
          ? times(get(b), get(a))
          : times(speedRatio(find(size, of, variant, a), find(size, of, variant, b)), 1)
      const figures = compared.map((name) => (get(name) === undefined ? '' : figure(get(name) as number)))
      const ratios = [
        better('gatehouse', 'bare'),
        better('gatehouse', 'better-auth'),
        better('gatehouse-pg', 'bare-pg'),
      ]
      return [`${of} ${variant}`.trim(), ...figures, ...ratios]
    }),
  )
  const ratios = ['Gatehouse / bare', 'Gatehouse / better-auth', 'PostgreSQL / bare']
  return table(['case', ...compared.map((name) => labels[name]), ...ratios], rows)
}

const meanwhile = (size: Size): string =>
  table(
    ['by id over 4 connections', 'contender', 'answers/s', 'p50 ms', 'p99 ms', 'longest ms'],
    size.measurements
      .filter((each) => streams.includes(each.case))
      .map(({ case: of, variant, contender, perSecond, p50, p99, longest }) => [
        ...[
          `${of}: ${variant}`,
          labels[contender as Name],
          figure(perSecond),
          figure(p50),
          figure(p99),
          figure(longest),
        ],
      ]),
  )

const facts = (size: Size): string =>
  table(
    ['', 'start ms', 'memory idle MB', 'memory peak MB', 'seed s', 'database MB'],
    names.map((name) => [
      labels[name],
      ...['start', 'memory idle', 'memory peak', 'seed', 'database'].map((fact) => {
        const value = findFact(size, fact, name)
        return value === undefined ? '' : figure(value)
      }),
    ]),
  )

function part(size: Size): string {
  const ceiling = find(size, 'by-id', '', 'node-http')
  const own = find(size, 'by-id', '', 'gatehouse')
  const raw = find(size, 'login', '', 'argon2')
  const generator =
    ceiling === undefined || own === undefined
      ? ''
      : `The load generator got ${whole(ceiling.perSecond)} answers/s out of bare \`node:http\`, ${(100 * ceiling.busy).toFixed(0)} % busy; against Gatehouse by id it was ${(100 * own.busy).toFixed(0)} % busy.`
  return `## ${whole(size.users)} users

\`${size.command}\` on ${size.date}, ${size.machine}; commit ${size.commit}; ${whole(size.took)} s without the seeding; load average of the minute before: ${size.loadBefore}.
Medians of ${size.rounds} rounds of ${size.seconds} s (a part of it where there are many variants). ${generator}

Answers a second, over 16 connections (8 where users are made or changed; 4 to better-auth's lists and searches, which keep its one thread busy)${raw === undefined ? '' : `; Argon2id alone checks ${figure(raw.perSecond)} passwords a second here`}:

${comparison(size, rates, 'perSecond')}

Milliseconds of one answer (median), over one connection; the ratios are of speed, so more is better here, too:

${comparison(size, delays, 'p50')}

What others notice meanwhile:

${meanwhile(size)}

${facts(size)}

Memory is resident memory with mapped files; its peak is over all cases, the flood of logins included. Start is from the start of the process to the first good answer.

Checked:

${size.checks.map((check) => `- ${check}`).join('\n')}`
}

const head = `# Benchmarks

What \`npm run bench\` measured: Gatehouse beside the *bare* server that runs the same queries for the same answers and checks nothing
(Fastify + better-sqlite3, Fastify + pg, every statement prepared), bare \`node:http\`, and better-auth with its admin plugin.
All run as processes of their own on the same users, are started as their users start them, and take turns (A B A B …) after a
warm-up. The load generator shares the machine's cores with them: one process, kept connections, no pipelining. Where only SQLite is
read, it polls instead of sleeping: waking it costs a server time, and a slow server would pay more often. Every answer is checked for
status, ids in their order and exact total, against plain SQL on the data; one that is wrong ends the run. Gatehouse is asked with an API key, its rate limit off;
better-auth with its administrator's session. A closed loop: percentiles are those of the requests that were sent.
Figures are medians over the rounds; a ratio is the median of the ratios of neighbouring rounds, so it need not be the quotient of two figures.
better-auth searches one field where Gatehouse searches four, and does not break ties in its sorts.
Sizes are compared with each other only where the same commit was measured; the machine's speed differs from day to day.
Written by the benchmark; \`docs/benchmarks/results.json\` holds all figures.`

/** Writes the results, together with earlier ones of other sizes, into docs/benchmarks.md. */
export function writeReport(measured: readonly Size[]): void {
  mkdirSync(join(docs, 'benchmarks'), { recursive: true })
  const sizes = keepResults(measured)
  writeFileSync(join(docs, 'benchmarks/rates.svg'), ratePlot(sizes))
  writeFileSync(join(docs, 'benchmarks/meanwhile.svg'), latencyPlot(sizes))
  const text = `${head}

## Targets

${table(['what', 'target', 'measured', ''], targetRows(sizes))}

![Answers a second by the number of users](benchmarks/rates.svg)

![How long a read takes while others search or sign in](benchmarks/meanwhile.svg)

${sizes.toReversed().map(part).join('\n\n')}
`
  writeFileSync(join(docs, 'benchmarks.md'), text)
  say('\ndocs/benchmarks.md is written.')
}
