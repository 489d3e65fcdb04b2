import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WriteLock } from './lock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const begun = (place: string) => ({ begunAt: () => place, isOpen: true })

it('is given to one at a time, in the order in which they came', async () => {
  const lock = new WriteLock()
  const order: number[] = []
  const use = async (number: number) => {
    const release = await lock.acquire(undefined)
    order.push(number)
    await Promise.resolve()
    order.push(number)
    release()
  }
  await Promise.all([use(1), use(2), use(3)])
  expect(order).toEqual([1, 1, 2, 2, 3, 3])
})

it('is given up after 5 s, with an error that says who holds it; those behind still get it', async () => {
  const lock = new WriteLock()
  const release = await lock.acquire(begun('deleteUser (users.service.ts:12)'))
  const waiting = lock.acquire(begun('elsewhere'))
  const refused = expect(waiting).rejects.toThrow(
    /not free within 5 s: the transaction begun at deleteUser \(users\.service\.ts:12\) has held it for 5\.0 s/,
  )
  await vi.advanceTimersByTimeAsync(4_000)
  const later = lock.acquire(begun('later'))
  await vi.advanceTimersByTimeAsync(1_000)
  await refused
  release()
  ;(await later)()
  ;(await lock.acquire(undefined))()
})

it('answers 503 where it is not free: its error has the code of a busy database', async () => {
  const lock = new WriteLock()
  await lock.acquire(undefined)
  const refused = expect(lock.acquire(undefined)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  await vi.advanceTimersByTimeAsync(5_000)
  await refused
})

it('is one for a file, however it is spelled', () => {
  expect(WriteLock.of('data/one.db')).toBe(WriteLock.of('./data/../data/one.db'))
  expect(WriteLock.of('data/one.db')).not.toBe(WriteLock.of('data/two.db'))
})
