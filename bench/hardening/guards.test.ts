import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { applyTo } from './build.ts'
import { measures } from './measures.ts'

/* Whoever changes a line that a control switches off must change the control, too: else the measure proves nothing. */

const sources = resolve(import.meta.dirname, '../../server/src')

const guards = Object.entries(measures).flatMap(([measure, { guards }]) =>
  Object.entries(guards).map(([guard, changes]) => ({ measure, guard, changes })),
)

it.each(guards)('$measure without "$guard" finds what it switches off', ({ changes }) => {
  for (const change of changes) {
    const text = readFileSync(join(sources, change.file), 'utf8')
    expect(applyTo(text, change)).not.toBe(text)
  }
})
