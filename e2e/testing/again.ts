import { beforeEach, type TestContext } from 'vitest'
import { sites } from './site.ts'

let last: TestContext['task'] | undefined

/** A retried test finds the data of each open site as its first try did. */
beforeEach(async ({ task }) => {
  const isAgain = task === last
  last = task
  for (const site of sites) await (isAgain ? site.rewind() : site.keep())
})
