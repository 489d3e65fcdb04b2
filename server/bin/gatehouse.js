#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import module from 'node:module'
import { join } from 'node:path'

// Compiled code, with the types already taken out, is kept between starts: half the time, and 15 MB less than where Node has
// to load what takes types out. So this file has none. It is kept where the code is: who may write there may change that, too.
if (process.features.typescript) {
  const cache = join(import.meta.dirname, '../../node_modules/.cache/gatehouse')
  module.enableCompileCache(cache)
  // Threads enable it by this alone, and would need 20 MB each to take types out.
  // biome-ignore lint/style/noProcessEnv: Node reads it
  process.env.NODE_COMPILE_CACHE ??= cache
  await import('../src/main.ts')
} else {
  process.stderr.write(
    `gatehouse: this is Node ${process.version}, and 22.18 or newer is needed: \`npm ci && npm start\` brings one and starts on it\n`,
  )
  process.exitCode = 1
}
