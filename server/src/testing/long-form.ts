import { it } from 'vitest'

/** `npm run test:long`: every test, and every case. */
export const isLong = process.env.TEST_LONG === '1'

/** For a test that takes long, or shows of one more page or moment what another one shows. */
export const itLong = it.runIf(isLong)

/** All cases in the long form, else the first, where all go the same way. */
export const firstOf = <T>(cases: readonly T[], count = 1): readonly T[] => (isLong ? cases : cases.slice(0, count))
