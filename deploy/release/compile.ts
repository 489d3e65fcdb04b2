import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** Addresses of our own modules: in imports, and of workers in `new URL('./worker.ts', import.meta.url)`. */
const ownModules = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g

/** Types alone, or only for tests. */
const isLeftOut = (path: string): boolean =>
  /\.d\.ts$|\.test\.ts$|\.fixture\.ts$|(^|\/)testing\/|-test-steps\.ts$/.test(path)

/**
 * Makes JavaScript of a folder. Types are replaced by spaces, so that the lines and columns of errors are those of the source.
 * Everything else (templates, pictures) is copied.
 */
export function compileFolder(from: string, to: string): void {
  for (const entry of globSync('**/*', { cwd: from, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(from.length + 1)
    if (!entry.isFile() || isLeftOut(path)) continue
    const target = join(to, path)
    mkdirSync(dirname(target), { recursive: true })
    if (path.endsWith('.ts')) compileFile(source, target.replace(/\.ts$/, '.js'))
    else copyFileSync(source, target)
  }
}

export function compileFile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, stripTypeScriptTypes(readFileSync(source, 'utf8')).replace(ownModules, '$1$2.js$1'))
}
