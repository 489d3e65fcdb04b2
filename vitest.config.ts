import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const include = ['{server,client}/src/**/*.test.ts', '{plugins,plugin-kit,bench}/**/*.test.ts']

/**
 * Runs once: tests that open no database, and those of the slow commands, which start many processes. The services behind the
 * commands, and `start`, `durability` and `seed`, are tested on both databases.
 */
const commands =
  /\/cli\/(config-errors|deliveries|first-start|keys|listen|move-users|program|secret-key|set-password|users)\.test\.ts$/
const onceOnly = globSync(include, { exclude: ['**/node_modules/**'] }).filter(
  (file) => commands.test(file) || !readFileSync(file, 'utf8').includes('postgresUrl'),
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

/** The suite runs twice, on SQLite and on a real PostgreSQL; then the console in a real browser. */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      suite('sqlite'),
      suite('postgres'),
      {
        extends: true as const,
        test: { name: 'browser', include: ['e2e/**/*.test.ts'], globalSetup: './e2e/testing/setup.ts' },
      },
    ],
  },
})
