import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { pluginConsole } from '../plugin-kit/vite.ts'

// Whatever it was built from (a test, a shell of a developer), what is served is React for production.
// biome-ignore lint/style/noProcessEnv: Vite reads it
process.env.NODE_ENV = 'production'

const root = join(import.meta.dirname, '..')
const dist = join(import.meta.dirname, 'dist')

/** Compressed once, here, so that the server has only to choose. Level 9 of 11: 2 % larger, five times as fast. */
async function compress(path: string): Promise<void> {
  const plain = await readFile(path)
  if (plain.length < 1024) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }))
}

/** A page that is open still asks for what an earlier build has made: that stays for a while. */
const keptMs = 3_600_000
for (const path of existsSync(join(dist, 'assets')) ? readdirSync(join(dist, 'assets')) : []) {
  const file = join(dist, 'assets', path)
  if (Date.now() - statSync(file).mtimeMs > keptMs) rmSync(file)
}

await build({ root: import.meta.dirname, logLevel: 'warn' })

for (const name of readdirSync(join(root, 'plugins'))) {
  const dir = join(root, 'plugins', name)
  if (!existsSync(join(dir, 'console'))) continue
  await build(pluginConsole(dir))
  await compress(join(dir, 'dist/console.js'))
}

const assets = readdirSync(join(dist, 'assets')).map((name) => join(dist, 'assets', name))
const isNew = (path: string) => path.endsWith('kit.js') || !existsSync(`${path}.br`)
await Promise.all(assets.filter((path) => /\.(js|css|svg)$/.test(path) && isNew(path)).map(compress))
