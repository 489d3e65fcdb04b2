import { inject, it } from 'vitest'

/** For slow tests whose subject is the same on every database: they run with SQLite only. */
export const itOnce = it.runIf(inject('postgresUrl') === null)
