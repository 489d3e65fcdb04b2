import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/src/testing/longest-first.ts'

const include = ['{server,client}/src/**/*.test.ts', '{plugins,plugin-kit,bench,deploy}/**/*.test.ts']

/**
 * Runs once: tests that open no database, those of the slow commands, which start many processes, and those of what
 * happens before the database is asked, or after it has answered. The services behind the commands, and `start`, `durability` and `seed`, are
 * tested on both databases. For single tests there is `itOnce`.
 */
const sameOnBoth = [
  /\/cli\/(config-errors|deliveries|first-start|keys|listen|move-users|places|program|secret-key|set-password|users)\.test\.ts$/,
  /\/(avatar-abuse|avatar-places|avatar-storage|black-hole|body-limits|breached-passwords|captcha|mail|multipart|multipart-stream|openapi-answers|password-paths|rate-limit|s3-storage|sign-in-overload|sms|traces)\.test\.ts$/,
]
const onceOnly = globSync(include, { exclude: ['**/node_modules/**'] }).filter(
  (file) => sameOnBoth.some((name) => name.test(file)) || !readFileSync(file, 'utf8').includes('postgresUrl'),
)

const suite = (name: 'sqlite' | 'postgres') => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...(name === 'postgres' ? onceOnly : [])],
    globalSetup: `./server/src/testing/${name}.ts`,
  },
})

/**
 * The suite runs twice, on SQLite and on a real PostgreSQL, and the console in a real browser. The files of a project share
 * three processes, one more than CI's cores, as tests also wait for disk and timers. They load the server once: a file undoes
 * what it changes outside of its own app (`restoreMocks` helps), and begins with `vi.resetModules()` where it needs modules
 * that nobody has used.
 */
export default defineConfig({
  test: {
    // Only to end tests that hang: one that takes 10 s here takes 30 s on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 3,
    // Without it, each thread that a test starts would load Node's type stripper (server/bin/gatehouse.js).
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/gatehouse') },
    isolate: false,
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      suite('sqlite'),
      suite('postgres'),
      {
        extends: true as const,
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          globalSetup: './e2e/testing/setup.ts',
          setupFiles: './e2e/testing/again.ts',
          // Two busy cores share a browser among three files. The report names what passed only the second time.
          retry: 1,
        },
      },
    ],
  },
})
