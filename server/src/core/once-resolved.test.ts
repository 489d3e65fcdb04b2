import { expect, it } from 'vitest'
import { onceResolved } from './once-resolved.ts'

it('makes a value once for all callers', async () => {
  let made = 0
  const load = onceResolved(async (name: string) => `${name} ${++made}`)
  expect(await Promise.all([load('a'), load('b')])).toEqual(['a 1', 'a 1'])
  expect(await load('c')).toBe('a 1')
})

it('forgets a failure: those who waited get it, and the next caller tries again', async () => {
  let tries = 0
  const load = onceResolved(async () => {
    if (++tries === 1) throw new Error('away')
    return tries
  })
  expect((await Promise.allSettled([load(), load()])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
  expect(await load()).toBe(2)
})
