import { it } from 'vitest'

/** True under `npm run test:long`, which runs every test with every case. CI runs the short form (docs/decisions/0042). */
export const isLong = process.env.TEST_LONG === '1'

/** A slow test, or one of a rare moment: skipped in the short form. */
export const itLong = it.runIf(isLong)

/** The cases of a test that treats them all alike: the first `count` in the short form, all in the long one. */
export const firstOf = <T>(cases: readonly T[], count = 1): readonly T[] => (isLong ? cases : cases.slice(0, count))
