import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { adminQuery, databaseUrl, templateName } from '../../server/src/testing/databases.ts'
import { password, startPostgres } from '../../server/src/testing/postgres-server.ts'
import { say } from '../measure.ts'
import { authorisation } from './authorisation.ts'
import { asItIs, createCopy } from './build.ts'
import { enumeration } from './enumeration.ts'
import { guesses } from './guesses.ts'
import { headers } from './headers.ts'
import { kills } from './kills.ts'
import type { Measure, Outcome, Stand } from './measure.ts'
import { races } from './races.ts'
import { revocation } from './revocation.ts'
import { secrets } from './secrets.ts'

const measures: Readonly<Record<string, Measure>> = {
  authorisation,
  headers,
  secrets,
  guesses,
  races,
  kills,
  revocation,
  enumeration,
}

export const what = 'security figures, each with a control: without its guard it must fail'

const help = `usage: npm run bench -- hardening [MEASURE...] [OPTION...]

${Object.entries(measures)
  .map(([name, { promise }]) => `  ${name.padEnd(14)} ${promise}`)
  .join('\n')}

  --quick            a part of the full numbers, in minutes
  --database NAME    sqlite or postgres (default both)
`

/** A PostgreSQL for the run, with a migrated database that others are copied from. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hardening-'))
  // Processes are killed here, not machines: nothing waits for the disk.
  const { port, stop } = await startPostgres(folder, ['-c', 'fsync=off', '-c', 'synchronous_commit=off'])
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await adminQuery(url, `create database ${templateName}`)
  const db = openDatabase({ kind: 'postgres', url: databaseUrl(url, templateName) }, () => {})
  await migrate(db)
  await db.destroy()
  return {
    url,
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const take = (measure: Measure, stand: Stand): Promise<Outcome> =>
  measure.take(stand).catch((error: Error) => ({ figure: `failed: ${error.message.slice(0, 200)}`, holds: false }))

/** Takes one measure on one database, with and without each of its guards; whether all is as it must be. */
async function takeAll(name: string, measure: Measure, stand: Omit<Stand, 'build'>): Promise<boolean> {
  const database = stand.postgresUrl === null ? 'SQLite' : 'PostgreSQL'
  const began = performance.now()
  const { figure, holds } = await take(measure, { ...stand, build: asItIs })
  say(`${holds ? 'holds ' : 'FAILS '} ${name}, ${database}: ${figure}`)
  let isGood = holds
  for (const [guard, changes] of Object.entries(measure.guards)) {
    const build = createCopy(changes)
    try {
      const without = await take(measure, { ...stand, build })
      say(`  ${without.holds ? 'NO CONTROL' : 'control'}: without "${guard}": ${without.figure}`)
      isGood &&= !without.holds
    } finally {
      build.remove()
    }
  }
  say(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return isGood
}

/** `npm run bench -- hardening`; the exit code. */
export async function runHardening(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, database: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const unknown = positionals.find((name) => !Object.hasOwn(measures, name))
  if (values.help || unknown !== undefined) {
    process.stdout.write(unknown === undefined ? help : `there is no measure "${unknown}"\n\n${help}`)
    return unknown === undefined ? 0 : 2
  }
  const server = values.database === 'sqlite' ? undefined : await startServer()
  const urls = [...(values.database === 'postgres' ? [] : [null]), ...(server === undefined ? [] : [server.url])]
  const began = performance.now()
  const keepAlive = setInterval(() => {}, 60_000) // threads that hash passwords keep no process alive
  let isGood = true
  try {
    for (const [name, measure] of Object.entries(measures)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      for (const postgresUrl of urls) {
        const isAsItMustBe = await takeAll(name, measure, { postgresUrl, isShort: values.quick === true })
        isGood &&= isAsItMustBe
      }
    }
  } finally {
    clearInterval(keepAlive)
    await server?.stop()
  }
  say(
    `${isGood ? 'All as it must be' : 'NOT as it must be'}, after ${((performance.now() - began) / 1000).toFixed(0)} s.`,
  )
  return isGood ? 0 : 1
}
