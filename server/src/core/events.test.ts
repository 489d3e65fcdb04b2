import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coreEvents } from './events.ts'

const root = new URL('..', import.meta.url).pathname
const texts = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'testing/**', 'core/events.ts'] }).map(
  (file) => readFileSync(`${root}/${file}`, 'utf8'),
)
/** Migrations write rows without the functions of the service. */
const migrations = texts.filter((text) => text.includes("insertInto('activity')"))
const writers = [...texts.filter((text) => /\brecord(Activity|Counted|Many)\(/.test(text)), ...migrations]

it.each(Object.keys(coreEvents))('%s is emitted somewhere in the code', (name) => {
  expect(writers.some((text) => text.includes(`'${name}'`))).toBe(true)
})

it('every event that a migration writes is in the list', () => {
  const written = migrations.flatMap((text) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, name]) => name))
  expect(written).not.toEqual([])
  expect(Object.keys(coreEvents)).toEqual(expect.arrayContaining(written))
})
