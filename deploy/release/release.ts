import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleDependencies, nativePackages, readManifest } from './bundle.ts'
import { makeClient } from './client.ts'
import { compileFile, compileFolder } from './compile.ts'
import { compileTypes, copyReadme, root, version, writeManifest } from './write.ts'

// npm run release: packages of compiled JavaScript in release/. See docs/decisions/0030-packages.md.

if (process.argv.length > 2) {
  process.stderr.write('npm run release takes no argument: the packages are written to release/.\n')
  process.exit(1)
}

const out = join(root, 'release')
/** Below `server/`, so that modules are found as they are from `server/src`. */
const staging = join(root, 'server/.release')
const run = (file: string, args: string[], cwd = root) => execFileSync(file, args, { cwd, stdio: 'inherit' })

function makePluginKit(): string {
  const folder = join(staging, 'plugin-kit')
  const from = join(root, 'plugin-kit')
  compileFolder(join(from, 'src'), join(folder, 'src'))
  compileFile(join(from, 'vite.ts'), join(folder, 'vite.js'))
  // Vite replaces this module by the console's own; only its types are read.
  for (const path of globSync('src/*.tsx', { cwd: from }).concat('src/console.ts')) {
    copyFileSync(join(from, path), join(folder, path))
  }
  rmSync(join(folder, 'src/console.js'))
  const typed = globSync('src/*.ts', { cwd: from, exclude: ['src/console.ts', 'src/*.test.ts'] })
  compileTypes(staging, { from, to: folder, modules: [...typed, 'vite.ts'] })
  const { name, description, dependencies = {} } = readManifest(from)
  const module = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` })
  const exports = {
    '.': module('src/index'),
    './once': module('src/once'),
    './testing': module('src/testing'),
    './vite': module('vite'),
    './console': './src/console.ts',
  }
  writeManifest(folder, { name, description, exports, dependencies })
  return folder
}

function makeAnnouncements(): string {
  const folder = join(staging, 'announcements')
  const from = join(root, 'plugins/announcements')
  compileFolder(join(from, 'src'), join(folder, 'src'))
  for (const name of globSync('dist/console.js*', { cwd: from })) cpSync(join(from, name), join(folder, name))
  const { name, description, dependencies = {} } = readManifest(from)
  writeManifest(folder, {
    name,
    description,
    exports: { '.': './src/index.js', './console': './dist/console.js' },
    dependencies: { ...dependencies, '@gatehouse/plugin-kit': version },
  })
  return folder
}

/** The server, the console, the plugin kit, announcements, and all that they import except native code. */
async function makeServer(kit: string, announcements: string): Promise<string> {
  const folder = join(staging, 'gatehouse')
  const from = join(root, 'server')
  compileFolder(join(from, 'src'), join(folder, 'server/src'))
  // The version is read from here; `type` because this is the nearest manifest of the modules.
  const inner = { name: '@gatehouse/server', version, private: true, type: 'module' }
  writeFileSync(join(folder, 'server/package.json'), `${JSON.stringify(inner, null, 2)}\n`)
  cpSync(join(root, 'console/dist'), join(folder, 'console/dist'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(import.meta.dirname, 'gatehouse.js'), join(folder, 'bin/gatehouse.js'))

  // Pages alone import the rest of the kit, and the console's build has all of that inside.
  const entries = [
    join(kit, 'src/index.js'),
    ...[join(folder, 'server/src'), join(announcements, 'src')].flatMap((part) => globSync(`${part}/**/*.js`)),
  ]
  const bundled = await bundleDependencies(root, entries, folder)
  if (bundled['react-admin'] !== undefined)
    throw new Error('the server would carry the packages that only pages import')
  for (const part of [kit, announcements]) {
    const { name } = readManifest(part)
    cpSync(part, join(folder, 'node_modules', name), { recursive: true })
    bundled[name] = version
  }
  const { dependencies: wanted = {} } = readManifest(from)
  const native = Object.fromEntries(nativePackages.map((name) => [name, wanted[name] ?? '*']))
  const { description } = readManifest(root)
  writeManifest(folder, {
    name: 'gatehouse',
    description,
    bin: { gatehouse: 'bin/gatehouse.js' },
    dependencies: { ...bundled, ...native },
    bundleDependencies: Object.keys(bundled),
  })
  copyReadme(from, folder)
  return folder
}

rmSync(staging, { recursive: true, force: true })
mkdirSync(staging, { recursive: true })
try {
  run(process.execPath, ['console/build.ts'])
  const [kit, announcements] = [makePluginKit(), makeAnnouncements()]
  const folders = [kit, announcements, makeClient(staging), await makeServer(kit, announcements)]
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  for (const folder of folders) run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], folder)
  for (const name of globSync('*.tgz', { cwd: out })) {
    const megabytes = (readFileSync(join(out, name)).length / 1e6).toFixed(1)
    process.stdout.write(`release/${name}  ${megabytes} MB\n`)
  }
} finally {
  rmSync(staging, { recursive: true, force: true })
}
