import { beforeEach, type TestContext } from 'vitest'
import { sites } from './site.ts'

let last: TestContext['task'] | undefined

/** A test that is tried again finds the services as its first try did. */
beforeEach(async ({ task }) => {
  const isAgain = task === last
  last = task
  for (const site of sites) await (isAgain ? site.rewind() : site.keep())
})
