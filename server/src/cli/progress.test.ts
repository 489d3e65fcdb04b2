import { describe, expect, it } from 'vitest'
import { createProgress, createRateProgress } from './progress.ts'

/** What is written to a terminal of this width. */
function terminal(columns: number): { stream: NodeJS.WriteStream; lines: () => string[] } {
  const pieces: string[] = []
  const stream = { isTTY: true, columns, write: (piece: string) => pieces.push(piece) } as unknown as NodeJS.WriteStream
  return { stream, lines: () => pieces.join('').split(/[\r\n]/) }
}

describe('progress on a terminal', () => {
  // A line that is as wide as the terminal goes on below, and \r does not come back to its beginning.
  it.each([30, 40, 80, 100])('stays on its line where that has %i columns', (columns) => {
    const { stream, lines } = terminal(columns)
    const [show, showRate] = [createProgress(stream, 9_000_000), createRateProgress(stream, 9_000_000)]
    for (const done of [0, 1, 4_500_000, 9_000_000]) {
      show(done)
      showRate(done, done === 9_000_000)
    }
    expect(Math.max(...lines().map(({ length }) => length))).toBeLessThan(columns)
    expect(lines().join(' ')).toContain('50 %')
  })

  it('leaves nothing of a longer line that was there', () => {
    const { stream, lines } = terminal(80)
    const show = createRateProgress(stream, 100_000)
    show(90_000)
    show(100_000, true)
    const [, first = '', last = ''] = lines()
    expect(last.length).toBeGreaterThanOrEqual(first.trimEnd().length)
    expect(last).toMatch(/^\[#{30}\] 100 % \(100000 of 100000, \d+\/s\) *$/)
  })

  it('has its usual width where that of the terminal is unknown', () => {
    const { stream, lines } = terminal(0)
    createProgress(stream, 2)(1)
    expect(lines()[1]?.trimEnd()).toBe(`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 % (1 of 2)`)
  })
})
