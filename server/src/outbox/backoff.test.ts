import { expect, it } from 'vitest'
import { createBackoff } from './backoff.ts'

it('a pause is never longer than five minutes, whatever happens to the clock', () => {
  let nowMs = Date.parse('2026-01-15T12:00:00Z')
  const backoff = createBackoff(
    () => new Date(nowMs),
    () => {},
  )
  for (let failures = 0; failures < 10; failures++) backoff.note(false)
  expect(backoff.until()).toBe(nowMs + 5_000)
  nowMs -= 3_600_000
  expect(backoff.until()).toBeLessThanOrEqual(nowMs)
  backoff.note(false)
  expect(backoff.until()).toBe(nowMs + 10_000)
})
