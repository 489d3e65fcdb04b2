import { describe, expect, it } from 'vitest'
import { createFairQueue, type QueuePlace } from './fair-queue.ts'

const place = (path: string, isFamiliar = false): QueuePlace => {
  const [wide = '', network = '', account = ''] = path.split('/')
  return { path: [wide, network, account], isFamiliar }
}

/**
 * A queue for one job at a time. It starts with a job that runs until it is told to end. Also returns what was done and what
 * was refused.
 */
function begin(strangers: number, familiar = 0) {
  const queue = createFairQueue({ parallel: 1, strangers, familiar }, () => new Error('full'))
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const refused: string[] = []
  const all: Promise<void>[] = [queue(place('first'), () => first.promise)]
  const enter = (path: string, isFamiliar = false, name = path) =>
    all.push(
      queue(place(path, isFamiliar), async () => {
        done.push(name)
      }).catch(() => {
        refused.push(name)
      }),
    )
  const finish = async () => {
    first.resolve()
    await Promise.all(all)
    return done
  }
  return { enter, finish, refused }
}

describe('a fair queue', () => {
  it('gives each network its turn, and within it each account', async () => {
    const { enter, finish } = begin(20)
    for (const path of ['a/1/x', 'a/1/x', 'a/1/y', 'a/2/x', 'b/1/x', 'a/1/x', 'c/1/x']) enter(path)
    expect(await finish()).toEqual(['a/1/x', 'b/1/x', 'c/1/x', 'a/2/x', 'a/1/y', 'a/1/x', 'a/1/x'])
  })

  it('is first come, first served within an account', async () => {
    const { enter, finish } = begin(20)
    for (const name of ['one', 'two', 'three']) enter('a/1/x', false, name)
    expect(await finish()).toEqual(['one', 'two', 'three'])
  })

  it('gives a newcomer the place of the newest waiter of the largest group', async () => {
    const { enter, finish, refused } = begin(3)
    for (const name of ['one', 'two', 'three']) enter('a/1/x', false, name)
    enter('b/1/x')
    enter('a/2/y')
    expect(await finish()).toEqual(['one', 'b/1/x', 'a/2/y'])
    expect(refused).toEqual(['three', 'two'])
  })

  it('refuses a newcomer if no group is larger', async () => {
    const { enter, finish, refused } = begin(3)
    for (const path of ['a/1/x', 'b/1/x', 'c/1/x', 'd/1/x', 'a/2/x', 'a/1/y']) enter(path)
    expect(await finish()).toEqual(['a/1/x', 'b/1/x', 'c/1/x'])
    expect(refused).toEqual(['d/1/x', 'a/2/x', 'a/1/y'])
  })

  it('reserves places for known callers, who go first, and starts every fourth job for an unknown one', async () => {
    const { enter, finish, refused } = begin(2, 5)
    for (const path of ['s/1/x', 's/2/x', 's/1/x']) enter(path)
    for (const name of ['f1', 'f2', 'f3', 'f4', 'f5']) enter('f/1/x', true, name)
    expect(await finish()).toEqual(['f1', 'f2', 'f3', 's/1/x', 'f4', 'f5', 's/2/x'])
    expect(refused).toEqual(['s/1/x'])
  })

  it('frees the place of a failed job', async () => {
    const queue = createFairQueue({ parallel: 1, strangers: 1, familiar: 1 }, () => new Error('full'))
    await expect(queue(place('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue(place('a'), async () => 'yes')).toBe('yes')
  })
})
