import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const writes = [
  /(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*'(users|user_counts)'/,
  /\b(insert into|update|delete from|merge into) "?(users|user_counts)"?\b/i,
]

it('one file writes users and their counts; another one, and the seed, write many at once by its rules', () => {
  const files = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'testing/**', 'db/migrations/**'] })
  const writers = files.filter((file) => writes.some((write) => write.test(readFileSync(join(root, file), 'utf8'))))
  expect(writers.toSorted()).toEqual([
    'cli/seed-batch.ts',
    'features/accounts/users.bulk.ts',
    'features/accounts/users.queries.ts',
  ])
})
