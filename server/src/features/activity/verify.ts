import type { Reads } from '../../core/context.ts'
import type { ReadDb } from '../../db/database.ts'
import { type ChainedRow, isLinked, type Link, noHash, signMark, signRetired } from './chain.ts'

const batch = 1_000

/** What is wrong with the log, and where it begins. */
export interface Problem {
  /**
   * `changed`: the row is not what it was, or another one stands in its place. `missing`: it was deleted. `added`: it was
   * written past the service. `cut`: the end of the log is gone. `rewritten`: the hashes fit each other, but were not made
   * with the secret key.
   */
  readonly kind: 'changed' | 'missing' | 'added' | 'cut' | 'rewritten'
  /** The id of the row; null where it is not known. */
  readonly id: number | null
  readonly position: number | null
}

export interface Verdict {
  /** How many rows were compared, and how many retention had removed between them. */
  readonly rows: number
  readonly retired: number
  /** Rows that are committed but have no place yet. */
  readonly waiting: number
  readonly head: Link
  readonly problems: readonly Problem[]
}

interface Joined extends Omit<ChainedRow, 'id'>, Link {
  /** Null where the row is gone. */
  readonly id: number | null
  readonly activity_id: number
  readonly retired: string | null
}

const linksAfter = (db: ReadDb, after: number): Promise<Joined[]> =>
  db
    .selectFrom('activity_chain as c')
    .leftJoin('activity as a', 'a.id', 'c.activity_id')
    .select(['c.position', 'c.hash', 'c.retired', 'c.activity_id'])
    .select(['a.id', 'a.event', 'a.actor_id', 'a.api_key_id', 'a.subject_type', 'a.subject_id'])
    .select(['a.details', 'a.request_id', 'a.created_at'])
    .where('c.position', '>', after)
    .orderBy('c.position')
    .limit(batch)
    .$castTo<Joined>()
    .execute()

async function readMark(db: ReadDb, name: 'head' | 'anchor'): Promise<Link & { signature: string | null }> {
  const found = await db.selectFrom('activity_marks').selectAll().where('name', '=', name).executeTakeFirst()
  return found ?? { position: 0, hash: noHash, signature: null }
}

/** The first row that is neither in the chain nor waiting for its place. */
async function findAdded(db: ReadDb): Promise<Problem[]> {
  const row = await db
    .selectFrom('activity')
    .leftJoin('activity_chain', 'activity_chain.activity_id', 'activity.id')
    .leftJoin('activity_pending', 'activity_pending.activity_id', 'activity.id')
    .select('activity.id')
    .where('activity_chain.position', 'is', null)
    .where('activity_pending.activity_id', 'is', null)
    .orderBy('activity.id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? [] : [{ kind: 'added', id: row.id, position: null }]
}

/** Walks the whole log, and says what is wrong with it. The service may go on writing meanwhile. */
export async function verifyActivity(from: Pick<Reads, 'db' | 'sealer'>): Promise<Verdict> {
  const { db, sealer } = from
  const anchor = await readMark(db, 'anchor')
  const head = await readMark(db, 'head')
  const isSigned = (as: 'head' | 'anchor', mark: Link & { readonly signature: string | null }) =>
    mark.signature === signMark(sealer, as, mark)
  let last: Link = { position: anchor.position, hash: anchor.hash }
  let rows = 0
  let retired = 0

  const problemWith = (link: Joined): Problem | undefined => {
    const at = { id: link.activity_id, position: link.position }
    if (link.position !== last.position + 1) return { kind: 'missing', id: null, position: last.position + 1 }
    if (link.position > head.position) return { kind: 'added', ...at }
    if (link.retired !== null) {
      retired++
      if (link.retired !== signRetired(sealer, last.hash, link)) return { kind: 'missing', ...at }
      return link.id === null ? undefined : { kind: 'added', ...at }
    }
    if (link.id === null) return { kind: 'missing', ...at }
    rows++
    return isLinked(last.hash, { ...link, id: link.id }, link.hash) ? undefined : { kind: 'changed', ...at }
  }

  async function walk(): Promise<Problem | undefined> {
    if (anchor.position > 0 && !isSigned('anchor', anchor))
      return { kind: 'rewritten', id: null, position: anchor.position }
    while (last.position < head.position) {
      const links = await linksAfter(db, last.position)
      if (links.length === 0) return { kind: 'cut', id: null, position: last.position + 1 }
      for (const link of links) {
        if (link.position > head.position && last.position === head.position) break // written since the walk began
        const problem = problemWith(link)
        if (problem !== undefined) return problem
        last = { position: link.position, hash: link.hash }
      }
    }
    if (last.hash !== head.hash || !isSigned('head', head))
      return { kind: 'rewritten', id: null, position: head.position }
    const [beyond] = await linksAfter(db, head.position)
    const now = beyond === undefined ? head : await readMark(db, 'head')
    return beyond === undefined || beyond.position <= now.position
      ? undefined
      : { kind: 'added', id: beyond.activity_id, position: beyond.position }
  }

  const problem = await walk()
  // Retention may have moved the anchor under the walk.
  if (problem !== undefined && (await readMark(db, 'anchor')).position !== anchor.position) return verifyActivity(from)
  const problems = [...(problem === undefined ? [] : [problem]), ...(await findAdded(db))]
  const waiting = await db
    .selectFrom('activity_pending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, retired, waiting: waiting.count, head: { position: head.position, hash: head.hash }, problems }
}
