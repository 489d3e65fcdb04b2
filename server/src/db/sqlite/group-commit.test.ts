import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { GroupCommit } from './group-commit.ts'

let folder: string
let path: string
let db: Sqlite.Database
let other: Sqlite.Database
let writer: GroupCommit
let commits: number

const open = (): Sqlite.Database => {
  const opened = new Sqlite(path)
  opened.pragma('journal_mode = WAL')
  opened.pragma('foreign_keys = ON')
  return opened
}
const noLimitOfTime = { size: 64, ageMs: Infinity }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-group-'))
  path = join(folder, 'test.db')
  db = open()
  db.exec('create table numbers (n integer primary key, parent references numbers deferrable initially deferred)')
  other = open()
  commits = 0
  writer = new GroupCommit(db, path, { onCommit: () => commits++, limits: noLimitOfTime })
})
afterEach(async () => {
  await writer.close()
  db.close()
  other.close()
  rmSync(folder, { recursive: true })
})

const insert = (n: number, parent: number | null = null) =>
  db.prepare('insert into numbers values (?, ?)').run(n, parent)
const numbers = (of = other) => of.prepare('select n from numbers order by n').pluck().all()
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Without a new turn of the event loop. */
async function microtasks(): Promise<void> {
  for (let done = 0; done < 1_000; done++) await Promise.resolve()
}

/** A transaction that writes one number. */
async function write(n: number, work: () => void = () => insert(n)): Promise<number> {
  const end = await writer.begin(undefined)
  try {
    work()
    await end('commit')
    return n
  } catch (error) {
    await end('rollback')
    throw error
  }
}

describe('a lock that another process holds', () => {
  beforeEach(() => {
    other.exec('begin immediate')
  })

  it('is waited for beside the event loop', async () => {
    const writing = write(1)
    for (let turns = 0; turns < 100; turns++) await nextTurn()
    other.exec('commit')
    expect(await writing).toBe(1)
  })

  it('is given up after 5 s, by those who wait behind as well', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const results = Promise.allSettled([write(1), write(2)])
    await vi.advanceTimersByTimeAsync(5_100)
    const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_BUSY' }) }
    expect(await results).toEqual([refused, refused])
    other.exec('rollback')
    expect(await write(3)).toBe(3)
  })
})

describe('transactions of one turn', () => {
  it('are committed once, and none is done before', async () => {
    const done: number[] = []
    const all = upTo(10).map(async (n) => done.push(await write(n)))
    await microtasks()
    expect([numbers(db), numbers(), done, commits]).toEqual([upTo(10), [], [], 0])
    await Promise.all(all)
    expect([numbers(), done, commits]).toEqual([upTo(10), upTo(10), 1])
  })

  it('fail alone', async () => {
    const results = await Promise.allSettled([write(1), write(2), write(2), write(1), write(3)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect([numbers(), commits]).toEqual([[1, 2, 3], 1])
  })

  it('begin anew after a first one that fails', async () => {
    insert(7)
    const results = await Promise.allSettled([write(7), write(8)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(numbers()).toEqual([7, 8])
  })

  it('undo all of theirs where they fail half-way', async () => {
    const whole = write(1)
    const half = write(2, () => {
      insert(2)
      insert(1)
    })
    await Promise.allSettled([whole, half])
    expect(numbers()).toEqual([1])
  })

  it('are at most 64 a group', async () => {
    await Promise.all(upTo(130).map((n) => write(n)))
    expect([numbers(), commits]).toEqual([upTo(130), 3])
  })

  it('are all refused where the commit fails, and the next ones go on', async () => {
    const members = [write(1), write(2, () => insert(2, 99)), write(3)]
    const results = await Promise.allSettled(members)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(numbers()).toEqual([])
    await write(4)
    expect(numbers()).toEqual([4])
  })

  it('can be run again where SQLite rolled all of them back for one', async () => {
    const before = write(1)
    const failing = write(2, () => {
      db.exec('rollback') // as SQLite does it for want of space
      throw new Error('disk full')
    })
    const [first, second, third] = await Promise.allSettled([before, failing, write(3)])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_IOERR_GROUP' } })
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'disk full' } })
    expect(third).toEqual({ status: 'fulfilled', value: 3 })
    expect(numbers()).toEqual([3])
  })
})

it('a lone transaction is committed with its turn, and a longer one when it ends', async () => {
  const lone = write(1)
  await microtasks()
  await nextTurn()
  expect(numbers()).toEqual([1])
  await lone
  const end = await writer.begin(undefined)
  insert(2)
  await nextTurn()
  insert(3)
  const ended = end('commit')
  expect(numbers()).toEqual([1, 2, 3])
  await ended
})

it('a transaction that is lost and commits all the same is refused', async () => {
  const lost = write(1, () => {
    insert(1)
    db.exec('rollback')
  })
  await expect(lost).rejects.toMatchObject({ code: 'SQLITE_IOERR_GROUP' })
})

it('two connections to one file take turns', async () => {
  const second = new GroupCommit(other, path)
  const onOther = async (n: number) => {
    const end = await second.begin(undefined)
    other.prepare('insert into numbers values (?, null)').run(n)
    await end('commit')
  }
  await Promise.all(upTo(20).map((n) => (n % 2 === 0 ? write(n) : onOther(n))))
  expect(numbers()).toEqual(upTo(20))
})

describe('with a disk that takes its time', () => {
  let synced: PromiseWithResolvers<void>[]
  /** Until what has begun is committed, if the disk is ready. */
  const turn = async () => {
    await microtasks()
    await nextTurn()
  }
  const sync = () => {
    const waiting = Promise.withResolvers<void>()
    synced.push(waiting)
    return waiting.promise
  }
  beforeEach(async () => {
    await writer.close()
    synced = []
    writer = new GroupCommit(db, path, { onCommit: () => commits++, sync, limits: noLimitOfTime })
  })

  it('a transaction can be read once it is committed, and is done once it is on the disk', async () => {
    let isDone = false
    const written = write(1).then(() => (isDone = true))
    await turn()
    expect([numbers(), isDone]).toEqual([[1], false])
    synced[0]?.resolve()
    await written
  })

  it('those that come meanwhile form one group, which is committed after it', async () => {
    const first = write(1)
    await turn()
    const others: Promise<number>[] = []
    for (const n of [2, 3, 4]) {
      others.push(write(n))
      await turn()
    }
    expect([numbers(), commits]).toEqual([[1], 1])
    synced[0]?.resolve()
    await first
    await turn()
    expect([numbers(), commits, synced.length]).toEqual([[1, 2, 3, 4], 2, 2])
    synced[1]?.resolve()
    await Promise.all(others)
  })

  it('one that is refused waits for what it has read', async () => {
    const first = write(1)
    await turn()
    let isRefused = false
    const refused = write(1).catch(() => (isRefused = true))
    await turn()
    expect(isRefused).toBe(false)
    synced[0]?.resolve()
    await Promise.all([first, refused])
    const next = write(2)
    await turn()
    synced[1]?.resolve()
    await next
    expect(numbers()).toEqual([1, 2])
  })

  it('a close waits for it', async () => {
    const written = write(1)
    await turn()
    const closed = writer.close().then(() => 'closed')
    await turn()
    expect(await Promise.race([closed, turn().then(() => 'open')])).toBe('open')
    synced[0]?.resolve()
    expect([await written, await closed]).toEqual([1, 'closed'])
  })

  it('nothing more is written after it has failed', async () => {
    const first = write(1)
    await turn()
    const second = write(2)
    await turn()
    synced[0]?.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }))
    const failure = { code: 'SQLITE_IOERR_FSYNC' }
    await expect(first).rejects.toMatchObject({ ...failure, cause: { code: 'EIO' } })
    await expect(second).rejects.toMatchObject(failure)
    await expect(write(3)).rejects.toMatchObject(failure)
    expect([numbers(), synced.length]).toEqual([[1], 1])
  })
})
