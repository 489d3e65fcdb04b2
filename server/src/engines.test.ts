import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))

it.each([
  '.',
  'server',
  'client',
  'plugin-kit',
  'plugins/announcements',
  'console',
  'bench',
  'node',
  'examples/plugin-notes',
])('package.json of %s says which Node it needs', (path) => {
  expect(read(path).engines?.node).toMatch(/^>=\d+/)
})

it.each(['start', 'dev'])(
  'npm run %s builds the console first where that is needed: a fresh checkout has pages',
  (name) => {
    expect(read('.').scripts[name]).toMatch(/^node console\/build-if-needed\.js && /)
  },
)
