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

/**
 * A server that is running, and pages that are open, still need the files of the last build. They stay, as do files that are at most
 * an hour older.
 */
const keptMs = 3_600_000
const madeMs = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const lastBuiltMs = madeMs(join(dist, 'index.html'))
const isOld = (file: string): boolean => lastBuiltMs - madeMs(file.replace(/\.(br|gz)$/, '')) > keptMs
const made = lastBuiltMs > 0 ? readdirSync(join(dist, 'assets')).map((name) => join(dist, 'assets', name)) : []
for (const file of made.filter(isOld)) rmSync(file)

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
