import { expect, it } from 'vitest'
import { createSharedSlots } from './shared-slots.ts'

const limits = { all: 10, each: { user: 3, network: 5 } }
const create = () => createSharedSlots(limits, () => new Error('full'))

it('one user, and one network, can take only a limited number of places; others still find room', async () => {
  const slots = create()
  const gate = Promise.withResolvers<void>()
  const take = (user: string, network: string) => slots({ user, network }, () => gate.promise)
  const held = [take('1', 'a'), take('1', 'a'), take('1', 'b')]
  await expect(take('1', 'c')).rejects.toThrow('full')
  held.push(take('2', 'a'), take('3', 'a'), take('4', 'a'))
  await expect(take('5', 'a')).rejects.toThrow('full')
  held.push(take('5', 'b'))
  gate.resolve()
  await Promise.all(held)
})

it('a place is free again when the work is done, even if it failed', async () => {
  const slots = create()
  for (let round = 0; round < 20; round++) {
    await expect(slots({ user: '1' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await slots({ user: '1' }, async () => round)).toBe(round)
  }
})

it('their total number is limited', async () => {
  const slots = create()
  const gate = Promise.withResolvers<void>()
  const held = Array.from({ length: 10 }, (_, user) => slots({ user: String(user) }, () => gate.promise))
  await expect(slots({ user: 'late' }, async () => {})).rejects.toThrow('full')
  gate.resolve()
  await Promise.all(held)
})
