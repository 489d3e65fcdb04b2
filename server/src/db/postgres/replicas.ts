import type { RootDb } from '../database.ts'
import { DirectKysely } from '../direct.ts'
import { isCollision, isUnavailable } from '../failures.ts'
import type { ReplicaState, Replicas } from '../replicas.ts'
import { parseHosts } from './address.ts'
import { postgresDialect } from './dialect.ts'

const pollMs = 1_000
/** A replica that is further behind is not read from. */
const mostLagMs = 5_000
/** A replica that has not answered for this long is not read from. */
const silentMs = 3_000
/** How many of a user's latest changes a replica must have. More are never in flight at once. */
const latest = 20
const keptSamples = 120

interface Sample {
  readonly atMs: number
  readonly lsn: number
}

interface Replica {
  readonly host: string
  readonly db: DirectKysely
  lagMs: number
  heardMs: number
}

interface Place {
  readonly lsn: number | null
  readonly began: string
}

const primaryPlace = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as lsn, pg_postmaster_start_time()::text as began`
const replicaPlace = `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as lsn,
  pg_postmaster_start_time()::text as began`
const lastChanges = `select id from activity where actor_id = $1 order by id desc limit ${latest}`
const seenChanges = 'select count(*) as count from activity where id = any($1::bigint[])'

const read = async <Row>(db: DirectKysely, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  (await db.direct.read({ sql, parameters, cost: 'quick' })) as Row[]

/**
 * Replicas of a database. Every change is written with a row of the audit log, in one transaction: a replica on which the
 * latest rows of a user are has all that this user has changed, on whichever node.
 */
export function createReplicas(
  primary: DirectKysely,
  address: string,
  onIdleError: (error: Error) => void,
  poolSize?: number,
): Replicas {
  const replicas: Replica[] = parseHosts(address).urls.map((url) => ({
    host: new URL(url).host,
    db: new DirectKysely(postgresDialect(url, onIdleError, poolSize)),
    lagMs: Number.POSITIVE_INFINITY,
    heardMs: Number.NEGATIVE_INFINITY,
  }))
  let samples: Sample[] = []
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let next = 0

  /** How long ago the primary was where the replica is. */
  function lagOf(lsn: number): number {
    const newest = samples.at(-1)
    if (newest === undefined || lsn >= newest.lsn) return 0
    const passed = samples.findLast((sample) => sample.lsn <= lsn)
    return passed === undefined ? Number.POSITIVE_INFINITY : performance.now() - passed.atMs
  }

  async function poll(): Promise<void> {
    const [place] = await read<Place & { lsn: number }>(primary, primaryPlace)
    if (place === undefined) return
    samples = [...samples.slice(1 - keptSamples), { atMs: performance.now(), lsn: place.lsn }]
    await Promise.all(
      replicas.map(async (replica) => {
        const [found] = await read<Place>(replica.db, replicaPlace).catch(() => [])
        if (found === undefined) return
        // A server that takes writes is no replica, unless it is the primary itself.
        const lsn = found.lsn ?? (found.began === place.began ? place.lsn : Number.NEGATIVE_INFINITY)
        replica.lagMs = lagOf(lsn)
        replica.heardMs = performance.now()
      }),
    )
  }

  function look(): Promise<void> {
    timer ??= setInterval(look, pollMs).unref()
    polling ??= poll()
      .catch(() => {}) // the primary is away: replicas go silent
      .finally(() => {
        polling = undefined
      })
    return polling
  }

  /** Infinite for one that does not answer. */
  const knownLag = ({ lagMs, heardMs }: Replica): number =>
    performance.now() - heardMs <= silentMs ? lagMs : Number.POSITIVE_INFINITY
  const isUsable = (replica: Replica): boolean => knownLag(replica) <= mostLagMs

  async function hasSeen(replica: Replica, ids: readonly number[]): Promise<boolean> {
    if (ids.length === 0) return true
    const [found] = await read<{ count: number }>(replica.db, seenChanges, [ids])
    return Number(found?.count) === ids.length
  }

  async function choose(userId: number | null): Promise<Replica | undefined> {
    if (timer === undefined) await look()
    const usable = replicas.filter(isUsable)
    const replica = usable[next++ % Math.max(1, usable.length)]
    if (replica === undefined || userId === null) return replica
    const ids = (await read<{ id: number }>(primary, lastChanges, [userId])).map(({ id }) => id)
    const isFresh = await hasSeen(replica, ids).catch(() => {
      replica.heardMs = Number.NEGATIVE_INFINITY
      return false
    })
    return isFresh ? replica : undefined
  }

  return {
    choose: async (userId) => (await choose(userId))?.db ?? (primary as RootDb),
    read: async (userId, work) => {
      const replica = await choose(userId)
      if (replica === undefined) return work(primary)
      try {
        return await work(replica.db)
      } catch (error) {
        // Away, or what was being read was removed on the primary meanwhile.
        if (!isUnavailable(error) && !isCollision(error)) throw error
        if (isUnavailable(error)) replica.heardMs = Number.NEGATIVE_INFINITY
        return work(primary)
      }
    },
    states: () => {
      if (timer === undefined) void look()
      return replicas.map((replica): ReplicaState => {
        return { host: replica.host, lagSeconds: knownLag(replica) / 1_000, isUsed: isUsable(replica) }
      })
    },
    stop: async () => {
      clearInterval(timer)
      await polling
      await Promise.all(replicas.map(({ db }) => db.destroy()))
    },
  }
}
