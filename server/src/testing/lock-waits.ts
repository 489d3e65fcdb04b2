import { connect } from './databases.ts'
import { until } from './until.ts'

/**
 * Keeps what a statement locks in a PostgreSQL database while `work` runs, and commits it then. `work` can wait until so many
 * others have waited for locks for so long.
 */
export const whileLocked = <T>(
  url: string,
  statement: string,
  work: (untilWaiting: (count: number, ms?: number) => Promise<void>) => Promise<T>,
): Promise<T> =>
  connect(url, async (client) => {
    const countWaiting = async (ms: number) => {
      const since = `clock_timestamp() - interval '${ms} milliseconds'`
      const { rows } = await client.query(`select count(*)::int as waiting from pg_locks where waitstart <= ${since}`)
      return rows[0].waiting
    }
    await client.query('begin')
    await client.query(statement)
    const result = await work((count, ms = 0) =>
      until(async () => (await countWaiting(ms)) >= count, `${count} to wait for locks`),
    )
    await client.query('commit')
    return result
  })
