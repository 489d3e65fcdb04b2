import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './bundle.ts'
import { compileFolder } from './compile.ts'
import { compileTypes, copyReadme, root, writeManifest } from './write.ts'

/**
 * The same modules for `require`, and their types: TypeScript refuses to import an ES module into a CommonJS one, and so
 * do the first versions of Node 20.
 */
function writeCommonJs(staging: string, from: string, to: string): void {
  compileTypes(staging, {
    from,
    to,
    modules: ['index.ts'],
    compilerOptions: {
      emitDeclarationOnly: false,
      module: 'commonjs',
      moduleResolution: 'bundler',
      target: 'es2022',
      verbatimModuleSyntax: false,
      rewriteRelativeImportExtensions: true,
    },
  })
  rmSync(join(to, 'generated/api.js')) // types alone
  writeFileSync(join(to, 'package.json'), '{ "type": "commonjs" }\n')
}

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
  writeCommonJs(staging, sources, join(folder, 'commonjs'))
  const exports = {
    '.': {
      import: { types: './src/index.d.ts', default: './src/index.js' },
      require: { types: './commonjs/index.d.ts', default: './commonjs/index.js' },
    },
  }
  const { name, description, engines, dependencies = {} } = readManifest(from)
  const entry = { main: './commonjs/index.js', types: './commonjs/index.d.ts' } // where a resolver does not know `exports`
  writeManifest(folder, { name, description, engines, ...entry, exports, dependencies })
  copyReadme(from, folder)
  return folder
}
