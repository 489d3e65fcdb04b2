#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import module from 'node:module'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiled code is kept between starts, beside the packages: who may write there may change those, too.
  module.enableCompileCache(join(import.meta.dirname, '../../.cache/gatehouse'))
  await import('../server/src/main.js')
} else {
  process.stderr.write(`gatehouse: this is Node ${process.version}, and 22.18 or newer is needed\n`)
  process.exitCode = 1
}
