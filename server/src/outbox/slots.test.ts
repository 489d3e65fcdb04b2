import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const minuteMs = 60_000

function start() {
  const time = { nowMs: Date.parse('2026-01-15T12:00:00Z') }
  return { time, slots: createSlots(() => new Date(time.nowMs)) }
}

it('there are five, fewer when they are limited, and one more after each minute', () => {
  const { time, slots } = start()
  expect(slots.count()).toBe(5)
  slots.limit(2)
  const counts = [0, 1, 1, 1, 1].map((minutes) => {
    time.nowMs += minutes * minuteMs
    return slots.count()
  })
  expect(counts).toEqual([2, 3, 4, 5, 5])
})

it('a clock that is set back by an hour does not keep them few for an hour', () => {
  const { time, slots } = start()
  slots.limit(2)
  time.nowMs -= 60 * minuteMs
  expect(slots.count()).toBe(2)
  time.nowMs += minuteMs
  expect(slots.count()).toBe(3)
})
