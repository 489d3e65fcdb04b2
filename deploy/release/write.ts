import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, readManifest } from './bundle.ts'

export const root = join(import.meta.dirname, '../..')
export const { version } = readManifest(root)
/** Of the server and its plugins; the client has its own. */
const engines = { node: '>=22.18' }

export function writeManifest(folder: string, manifest: Omit<Manifest, 'version'>): void {
  const shared = { version, license: 'MIT', type: 'module', engines }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...shared, ...manifest }, null, 2)}\n`)
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(folder, name))
}

/** Copies the README of a package. Throws if it links to files, which are neither in the package nor on a registry's page. */
export function copyReadme(from: string, folder: string): void {
  const text = readFileSync(join(from, 'README.md'), 'utf8')
  const link = /\]\((?!https?:|#)[^)]*\)/.exec(text)?.[0]
  if (link !== undefined) throw new Error(`${from}/README.md: ${link} leads nowhere on a registry's page.`)
  writeFileSync(join(folder, 'README.md'), text)
}

/** Runs the compiler on these modules. Its configuration is written into the folder `staging`. */
export function compileTypes(
  staging: string,
  options: { from: string; to: string; modules: readonly string[]; compilerOptions?: object },
): void {
  const config = join(staging, 'types.json')
  const { from, to, modules } = options
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: to,
    rootDir: from,
    typeRoots: [join(root, 'node_modules/@types')],
    ...options.compilerOptions,
  }
  const files = modules.map((name) => join(from, name))
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' })
}
