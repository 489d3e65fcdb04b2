import { parseArgs } from 'node:util'
import { say } from '../measure.ts'
import { asItIs, createCopy } from './build.ts'
import type { Measure, Outcome, Stand } from './measure.ts'
import { measures } from './measures.ts'
import { withPostgres } from './postgres.ts'

export const what = 'security figures, each with a control: without its guard it must fail'

const help = `usage: npm run bench -- hardening [MEASURE...] [OPTION...]

${Object.entries(measures)
  .map(([name, { promise }]) => `  ${name.padEnd(14)} ${promise}`)
  .join('\n')}

  --quick            a part of the full numbers, in minutes
  --kills 100        of the measure of that name
  --database NAME    sqlite or postgres (default both)
`

/** A measure without its guard fails in the first few rounds, or is no control. */
const controlRounds = 100

const take = (measure: Measure, stand: Stand): Promise<Outcome> =>
  measure.take(stand).catch((error: Error) => ({ figure: `failed: ${error.message.slice(0, 200)}`, holds: false }))

/** Runs one measure on one database, with and without each of its guards; returns whether all results are as expected. */
async function takeAll(name: string, measure: Measure, stand: Omit<Stand, 'build'>): Promise<boolean> {
  const database = stand.postgresUrl === null ? 'SQLite' : 'PostgreSQL'
  const began = performance.now()
  const { figure, holds } = await take(measure, { ...stand, build: asItIs })
  say(`${holds ? 'holds ' : 'FAILS '} ${name}, ${database}: ${figure}`)
  let isGood = holds
  for (const [guard, changes] of Object.entries(measure.guards)) {
    const build = createCopy(changes)
    try {
      const without = await take(measure, { ...stand, build, rounds: Math.min(stand.rounds, controlRounds) })
      say(`  ${without.holds ? 'NO CONTROL' : 'control'}: without "${guard}": ${without.figure}`)
      isGood &&= !without.holds
    } finally {
      build.remove()
    }
  }
  say(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return isGood
}

/** `npm run bench -- hardening`; returns the exit code. */
export async function runHardening(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      kills: { type: 'string', default: '100' },
      database: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const unknown = positionals.find((name) => !Object.hasOwn(measures, name))
  const rounds = Number(values.kills)
  if (!Number.isInteger(rounds) || rounds < 1) {
    process.stderr.write('--kills must be a number from 1 on\n')
    return 2
  }
  if (values.help || unknown !== undefined) {
    process.stdout.write(unknown === undefined ? help : `there is no measure "${unknown}"\n\n${help}`)
    return unknown === undefined ? 0 : 2
  }
  const names = Object.keys(measures).filter((name) => positionals.length === 0 || positionals.includes(name))
  const isShort = values.quick === true
  const began = performance.now()
  const keepAlive = setInterval(() => {}, 60_000) // threads that hash passwords do not keep the process alive
  let isGood = true
  const takeEach = async (postgresUrl: string | null) => {
    const database = postgresUrl === null ? 'sqlite' : 'postgres'
    for (const name of names) {
      const measure = measures[name] as Measure
      if (measure.databases?.includes(database) === false) continue
      const lacking = measure.needs?.()
      if (lacking !== undefined) say(`not run  ${name}: it needs ${lacking}`)
      else isGood = (await takeAll(name, measure, { postgresUrl, isShort, rounds })) && isGood
    }
  }
  if (values.database !== 'postgres') await takeEach(null)
  if (values.database !== 'sqlite') await withPostgres(({ url }) => takeEach(url))
  clearInterval(keepAlive)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  say(`${isGood ? 'All results are as expected' : 'NOT all results are as expected'}, after ${seconds} s.`)
  return isGood ? 0 : 1
}
