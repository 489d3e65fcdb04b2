import { readFileSync, realpathSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { refusePlugin } from './refuse.ts'

/** The location of a plugin's package. */
export interface PluginPackage {
  readonly version: string
  /** Its folder, or the one file that it is, without symbolic links. */
  readonly folder: string
  /** The file to import. */
  readonly entry: string
  /** The built console half, if the package exports one. */
  readonly console: string | null
}

interface Manifest {
  readonly version?: string
  readonly main?: string
  readonly exports?: unknown
}

/** The file that `exports` names for a subpath, for an import by Node. */
function targetOf(exports: unknown, subpath: string): string | undefined {
  if (typeof exports === 'string') return subpath === '.' ? exports : undefined
  if (typeof exports !== 'object' || exports === null) return undefined
  const conditions = exports as Record<string, unknown>
  const hasSubpaths = Object.keys(conditions).some((key) => key.startsWith('.'))
  if (hasSubpaths) return subpath in conditions ? targetOf(conditions[subpath], '.') : undefined
  if (subpath !== '.') return undefined
  return targetOf(conditions.import ?? conditions.node ?? conditions.default, '.')
}

function readPackage(folder: string): PluginPackage {
  const { version = '0.0.0', main = 'index.js', exports } = readManifest(folder)
  const console = targetOf(exports, './console')
  return {
    version,
    folder,
    entry: join(folder, targetOf(exports, '.') ?? main),
    console: console === undefined ? null : join(folder, console),
  }
}

const readManifest = (folder: string): Manifest => {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    return {}
  }
}

/** Looks where the service was started, then where the server is installed. */
function findFolder(name: string): string | undefined {
  for (const base of [pathToFileURL(`${process.cwd()}/`), import.meta.url]) {
    try {
      const manifest = findPackageJSON(name, base)
      if (manifest !== undefined) return realpathSync(dirname(manifest))
    } catch {
      // not installed there
    }
  }
  return undefined
}

/**
 * Finds the package of a name in GATEHOUSE_PLUGINS: a path, or a package by name. A short name is tried as
 * `@gatehouse/plugin-*` first, then as the name of a package.
 */
export function resolvePlugin(source: string): PluginPackage {
  if (/^\.{0,2}\//.test(source)) {
    const path = resolve(source)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return refusePlugin(source, `there is nothing at ${path}.`)
    const folder = realpathSync(path)
    return found.isFile() ? { version: '0.0.0', folder, entry: path, console: null } : readPackage(folder)
  }
  const names = source.includes('/') ? [source] : [`@gatehouse/plugin-${source}`, source]
  const folder = names.map(findFolder).find((found) => found !== undefined)
  if (folder === undefined) {
    return refusePlugin(source, `there is no package ${names.join(' or ')}. Install it with npm, or take it out.`)
  }
  return readPackage(folder)
}
