import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Text of the server that is replaced in a copy of it. */
export interface Change {
  /** Below `server/src`. */
  readonly file: string
  /** Occurs there exactly once. */
  readonly find: string
  readonly replace: string
}

/** The sources that a measure runs: those of this repository, or a copy with a guard switched off. */
export interface Build {
  readonly root: string
  readonly remove: () => void
}

const repository = resolve(import.meta.dirname, '../..')

export const asItIs: Build = { root: repository, remove: () => {} }

/** A copy of the server with these changes, in a folder that is removed at the end. Throws if a text does not occur exactly once. */
export function createCopy(changes: readonly Change[]): Build {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-guard-off-'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    for (const name of ['server', 'plugin-kit', 'plugins', 'client', 'console', 'package.json', 'vitest.config.ts']) {
      cpSync(join(repository, name), join(root, name), {
        recursive: true,
        filter: (path) => !path.endsWith('/node_modules'),
      })
    }
    linkModules(root)
    for (const change of changes) {
      const path = join(root, 'server/src', change.file)
      writeFileSync(path, applyTo(readFileSync(path, 'utf8'), change))
    }
  } catch (error) {
    remove()
    throw error
  }
  return { root, remove }
}

/** The text with the change; throws if what it replaces does not occur exactly once. */
export function applyTo(text: string, { file, find, replace }: Change): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}

/** Third-party packages are those of the repository; our own are the copies. */
function linkModules(root: string): void {
  const modules = join(repository, 'node_modules')
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(modules)) {
    if (name === '.cache' || name === '.vite') continue
    if (name === '@gatehouse')
      cpSync(join(modules, name), join(root, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(modules, name), join(root, 'node_modules', name))
  }
}
