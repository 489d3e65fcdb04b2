import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Before `npm start`, `npm run dev` and the browser tests: builds the console where it was never built or something of it is newer.
// Plain JavaScript, since this may be run by a Node that is too old; server/bin/gatehouse.js says so then.

const root = join(import.meta.dirname, '..')
const plugins = readdirSync(join(root, 'plugins')).filter((name) => existsSync(join(root, 'plugins', name, 'console')))
const sources = [
  ...['src', 'public', 'index.html', 'public.html', 'build.ts', 'vite.config.ts'].map((name) => `console/${name}`),
  ...['client/src', 'plugin-kit/src', 'plugin-kit/vite.ts', 'package-lock.json'],
  ...plugins.map((name) => `plugins/${name}/console`),
]
const results = ['console/dist/index.html', ...plugins.map((name) => `plugins/${name}/dist/console.js`)]

/** When a file, or something in a folder, was last written. */
function writtenAt(path) {
  const stat = statSync(path)
  return stat.isDirectory() ? Math.max(...readdirSync(path).map((name) => writtenAt(join(path, name)))) : stat.mtimeMs
}

const at = (path) => (existsSync(join(root, path)) ? writtenAt(join(root, path)) : 0)
const isCurrent = Math.max(...sources.map(at)) <= Math.min(...results.map(at))
const canBuild = process.features.typescript && existsSync(join(root, 'node_modules/@vitejs/plugin-react'))

if (!isCurrent && canBuild) {
  process.stdout.write('Building the console: some seconds, once and after each change of it.\n')
  await import('./build.ts')
}
