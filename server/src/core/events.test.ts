import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coreEvents } from './events.ts'

const root = new URL('..', import.meta.url).pathname
const writers = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'testing/**', 'core/events.ts'] })
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  .filter((text) => /\brecord(Activity|Counted|Many)\(/.test(text))

it.each(Object.keys(coreEvents))('%s is emitted somewhere in the code', (name) => {
  expect(writers.some((text) => text.includes(`'${name}'`))).toBe(true)
})
