import { expect, it } from 'vitest'
import type { Verdict } from './attempt.ts'
import { createBackoff } from './backoff.ts'

function start() {
  const pauses: number[] = []
  const time = { nowMs: Date.parse('2026-01-15T12:00:00Z') }
  const backoff = createBackoff(
    () => new Date(time.nowMs),
    (seconds) => pauses.push(seconds),
  )
  const note = (verdict: Verdict, times: number) => {
    for (let done = 0; done < times; done++) {
      backoff.note(verdict)
      time.nowMs = Math.max(time.nowMs, backoff.until())
    }
  }
  return { pauses, note }
}

it('ten failures pause, ever longer; one mail that is taken ends that', () => {
  const { pauses, note } = start()
  note('failed', 9)
  note('taken', 1)
  note('failed', 18)
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  note('taken', 1)
  note('failed', 10)
  expect(pauses.slice(9)).toEqual([5])
})

it('refused recipients pause after 200 in a row, for at most a minute, and in between they are no failures of the server', () => {
  const { pauses, note } = start()
  note('failed', 9)
  note('recipient refused', 199)
  note('failed', 9)
  expect(pauses).toEqual([])
  note('recipient refused', 1)
  expect(pauses).toEqual([5])
  note('recipient refused', 1_200)
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60])
  note('taken', 1)
  note('recipient refused', 199)
  expect(pauses).toHaveLength(7)
})

it('a pause is never longer than five minutes, whatever happens to the clock', () => {
  let nowMs = Date.parse('2026-01-15T12:00:00Z')
  const backoff = createBackoff(
    () => new Date(nowMs),
    () => {},
  )
  for (let failures = 0; failures < 10; failures++) backoff.note('failed')
  expect(backoff.until()).toBe(nowMs + 5_000)
  nowMs -= 3_600_000
  expect(backoff.until()).toBeLessThanOrEqual(nowMs)
  backoff.note('failed')
  expect(backoff.until()).toBe(nowMs + 10_000)
})
