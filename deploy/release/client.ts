import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './bundle.ts'
import { compileFolder } from './compile.ts'
import { compileTypes, copyReadme, root, writeManifest } from './write.ts'

/** Makes the folder of the package `@gatehouse/client` in `staging`. */
export function makeClient(staging: string): string {
  const folder = join(staging, 'client')
  const from = join(root, 'client')
  mkdirSync(folder, { recursive: true })
  const sources = join(from, 'src')
  compileFolder(sources, join(folder, 'src'))
  rmSync(join(folder, 'src/generated/api.js')) // types alone: spaces
  compileTypes(staging, { from: sources, to: join(folder, 'src'), modules: ['index.ts'] })
  for (const path of globSync('**/*.d.ts', { cwd: sources })) {
    copyFileSync(join(sources, path), join(folder, 'src', path))
  }
  const exports = { '.': { types: './src/index.d.ts', default: './src/index.js' } }
  const { name, description, engines, dependencies = {} } = readManifest(from)
  writeManifest(folder, { name, description, engines, exports, dependencies })
  copyReadme(from, folder)
  return folder
}
