import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/*
 * Rooms are the folders below features/ and security/, and the layers beside them. Each may import from those below it,
 * without circles.
 */

/** What every room may import. */
const base = new Set([
  'core',
  'db',
  'config.ts',
  'config-files.ts',
  'config-listen.ts',
  'config-otlp.ts',
  'config-services.ts',
  'config-storage.ts',
  'config-values.ts',
  'version.ts',
])

const roomOf = (file: string): string => {
  const [first = '', second = ''] = file.split('/')
  return first === 'features' || first === 'security' ? `${first}/${second}` : first
}

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
  readonly where: string
}

const root = import.meta.dirname
const files = globSync('**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts', '**/*test-steps.ts', '**/*.fixture.ts', 'testing/**'],
})
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']+\.ts)'/gm)].map(
    ([, type, path = '']) => {
      const target = normalize(join(dirname(file), path))
      return { from: roomOf(file), to: roomOf(target), isType: type !== undefined, where: `${file} → ${target}` }
    },
  )
})
/** The types of a table belong to the schema of the whole database. */
const between = imports.filter(({ from, to, where }) => from !== to && !where.endsWith('.table.ts'))

it('there are no import circles between rooms', () => {
  const next = new Map<string, Import[]>()
  for (const one of between.filter(({ from, to }) => !base.has(from) && !base.has(to))) {
    next.set(one.from, [...(next.get(one.from) ?? []), one])
  }
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (room: string, path: readonly Import[]): void => {
    const start = path.findIndex(({ from }) => from === room)
    if (start >= 0)
      circles.push(
        path
          .slice(start)
          .map(({ where }) => where)
          .join(', '),
      )
    if (start >= 0 || done.has(room)) return
    for (const step of next.get(room) ?? []) walk(step.to, [...path, step])
    done.add(room)
  }
  for (const room of next.keys()) walk(room, [])
  expect(next.size).toBeGreaterThan(20)
  expect(circles).toEqual([])
})

it('the base imports only types from the rooms above it', () => {
  const taken = between.filter(({ from, to, isType }) => base.has(from) && !base.has(to) && !isType)
  expect(taken.map(({ where }) => where)).toEqual([])
})
