import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ServiceError } from '../../core/errors.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { countAttempt, isWithinLimit, removeOldAttempts } from './attempts.service.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const limit = { tries: 5, windowMs: 60_000 }

/** How long a refused attempt is told to wait; 0 for one within the limit. */
async function waitOf(name: string, app = t): Promise<number> {
  try {
    await countAttempt(app.ctx, name, limit)
    return 0
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 429) throw error
    return error.retryAfterSeconds ?? Number.NaN
  }
}

const waitsOf = async (name: string, count: number): Promise<number[]> => {
  const waits: number[] = []
  for (let time = 0; time < count; time++) waits.push(await waitOf(name))
  return waits
}

const rowOf = (name: string) =>
  t.ctx.unguarded.selectFrom('tries').selectAll().where('name', '=', name).executeTakeFirst()

describe('attempts', () => {
  it('are refused beyond the limit, with 429 and Retry-After, until the window ends', async () => {
    expect(await waitsOf('window', 7)).toEqual([0, 0, 0, 0, 0, 60, 60])
    t.clock.advance({ seconds: 59 })
    expect(await waitOf('window')).toBe(1)
    t.clock.advance({ seconds: 1 })
    expect(await waitsOf('window', 6)).toEqual([0, 0, 0, 0, 0, 60])
  })

  it('that are refused do not extend the window', async () => {
    await waitsOf('patience', 5)
    for (let time = 1; time < 6; time++) {
      t.clock.advance({ seconds: 10 })
      expect(await waitOf('patience')).toBe(60 - 10 * time)
    }
    t.clock.advance({ seconds: 10 })
    expect(await waitOf('patience')).toBe(0)
  })

  it('are allowed again after the clock was set back, and clocks that differ by less than a minute change nothing', async () => {
    await waitsOf('set back', 6)
    t.clock.advance({ seconds: -50 })
    expect(await waitOf('set back')).toBe(110)
    t.clock.advance({ days: -1 })
    expect(await waitsOf('set back', 6)).toEqual([0, 0, 0, 0, 0, 60])
    t.clock.advance({ days: 1, seconds: 50 })
  })

  it('are counted one by one, also in parallel on two nodes', async () => {
    const node = await startNode(t)
    const waits = await Promise.all(Array.from({ length: 50 }, (_, index) => waitOf('crowd', index % 2 ? t : node)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
    expect(await rowOf('crowd')).toMatchObject({ count: 50 })
  })

  it('are counted one by one at the end of a window, too: only one starts the next', async () => {
    await waitsOf('turn', 5)
    t.clock.advance({ seconds: 60 })
    const waits = await Promise.all(Array.from({ length: 20 }, () => waitOf('turn')))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  })

  it('of one name do not affect another', async () => {
    await waitsOf('one', 6)
    expect([await waitOf('ONE'), await waitOf('one '), await waitOf('two')]).toEqual([0, 0, 0])
  })

  it('survive a restart', async () => {
    await waitsOf('restart', 5)
    const node = await startNode(t)
    expect(await waitOf('restart', node)).toBe(60)
  })

  it('that are ignored silently are counted as well', async () => {
    const within: boolean[] = []
    for (let time = 0; time < 7; time++) within.push(await isWithinLimit(t.ctx, 'silence', limit))
    expect(within).toEqual([true, true, true, true, true, false, false])
  })

  it('are removed when their window has ended, and not before', async () => {
    await waitsOf('old', 1)
    t.clock.advance({ seconds: 59 })
    await waitsOf('young', 1)
    await removeOldAttempts(t.ctx)
    expect(await rowOf('old')).toMatchObject({ count: 1 })
    t.clock.advance({ seconds: 1 })
    await removeOldAttempts(t.ctx)
    expect([await rowOf('old'), (await rowOf('young'))?.count]).toEqual([undefined, 1])
  })
})
