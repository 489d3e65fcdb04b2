import { defineConfig } from 'vitest/config'

const suite = (name: 'sqlite' | 'postgres') => ({
  extends: true as const,
  test: { name, globalSetup: `./server/src/testing/${name}.ts` },
})

/** The whole suite runs twice: once on SQLite, once on a real PostgreSQL. */
export default defineConfig({
  test: {
    include: ['{server,client}/src/**/*.test.ts', '{plugins,plugin-kit}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [suite('sqlite'), suite('postgres')],
  },
})
