import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadedPlugin } from './load.ts'

/** Where the service is: below it, in a checkout, there may be plugins, and it may be below the folder of a plugin. */
const ownFolder = join(import.meta.dirname, '../../..')

/** `    at run (file:///srv/tea/index.js:3:7)`, also without the parentheses or, from CommonJS, as a path. */
const frame = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.+):\d+:\d+\)?$/

const filesOf = ({ stack = '' }: Error): string[] =>
  stack.split('\n').flatMap((line) => {
    const [, file] = frame.exec(line) ?? []
    if (file === undefined) return []
    return file.startsWith('file:') ? fileURLToPath(file) : file
  })

/** The id of the plugin in whose code an error arose, if its stack tells. */
export function findCulprit(loaded: readonly LoadedPlugin[], error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const folders = [ownFolder, ...loaded.map(({ folder }) => folder)].toSorted((a, b) => b.length - a.length)
  for (const file of filesOf(error)) {
    const nearest = folders.find((folder) => file === folder || file.startsWith(`${folder}/`))
    const found = loaded.find(({ folder }) => folder === nearest)
    if (found !== undefined) return found.plugin.id
  }
  return undefined
}
