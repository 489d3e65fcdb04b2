import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../server/src/db/open.ts'
import type { Installation } from '../server/src/testing/server-process.ts'
import { say } from './measure.ts'
import { createPlace, find, type Job, post, untilOver, writeFile } from './moving-steps.ts'

/** Numbers of rows that have to be right, counted in the tables themselves. */
async function count(place: Installation, banId: number): Promise<Readonly<Record<string, number>>> {
  const db = openDatabase(place.database.address, () => {})
  const texts = place.database.address.kind === 'sqlite' ? 'users_search_content' : 'users_search'
  const one = async (query: string) => {
    const { rows } = await sql<{ n: number }>`${sql.raw(query)}`.execute(db)
    return Number(rows[0]?.n)
  }
  try {
    return {
      users: await one('select count(*) as n from users'),
      addresses: await one('select count(distinct email_canonical) as n from users'),
      counted: await one('select sum(count) as n from user_counts'),
      searched: await one(`select count(*) as n from ${texts}`),
      banned: await one("select count(*) as n from users where status = 'Banned'"),
      countedBanned: await one("select sum(count) as n from user_counts where status = 'Banned'"),
      audited: await one("select count(*) as n from activity where event = 'user.banned'"),
      auditedUsers: await one("select count(distinct subject_id) as n from activity where event = 'user.banned'"),
      kept: await one(`select count(*) as n from job_changes where job_id = ${banId}`),
      uploads: await one('select count(*) as n from uploads'),
    }
  } finally {
    await db.destroy()
  }
}

/** Kills the server at moments spread over an import and a bulk action, and compares what is there at the end. */
export async function killMoving(postgresUrl: string | null, users: number, kills: number): Promise<void> {
  const place = await createPlace(postgresUrl)
  try {
    const file = join(place.folder, 'users.csv')
    await writeFile(file, users)
    let server = await place.start()
    let done = 0
    /** Kills the server `times` times while the job runs; a kill after its end is not counted. */
    const interrupt = async (id: number, times: number): Promise<Job> => {
      for (let at = 1; at <= times; at++) {
        const from = (users * at) / (times + 2)
        let job = await find(server, id)
        for (; job.done < from && job.status !== 'done'; job = await find(server, id)) await pause(5)
        if (job.status === 'done') break
        await server.stop('SIGKILL')
        done++
        server = await place.start()
      }
      return untilOver(server, id)
    }
    const half = Math.ceil(kills / 2)
    const imported = await interrupt((await post(server, '/users/import', file)).id, half)
    const body = { action: 'ban', filter: { import_id: imported.id }, expected: users }
    const banned = await interrupt((await server.call('POST /users/bulk', { body })).body.data.id, kills - half)
    await server.stop()
    const found = await count(place, banned.id)
    const { updated, skipped } = banned
    const wanted = {
      users: users + 1,
      addresses: users + 1,
      counted: users + 1,
      searched: users + 1,
      banned: users,
      countedBanned: users,
      audited: updated,
      auditedUsers: updated,
      kept: updated,
      uploads: 0,
    }
    const wrong = Object.entries(wanted).filter(([name, number]) => found[name] !== number)
    const isExact =
      wrong.length === 0 && imported.created === users && imported.failed === 0 && updated + skipped === users
    const where = postgresUrl === null ? 'SQLite' : 'PostgreSQL'
    if (!isExact)
      throw new Error(`${where}: a kill lost or doubled rows: ${JSON.stringify({ wrong, imported, banned })}`)
    say(`  ${where.padEnd(11)} ${done} kills, ${users} users imported and banned: every row once, totals exact`)
  } finally {
    await place.remove()
  }
}
