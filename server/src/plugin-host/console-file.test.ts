import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config.ts'
import { createServer } from '../http/server.ts'
import { consoleFileRoute } from './console-file.ts'
import type { LoadedPlugin } from './load.ts'

const script = `export default ${JSON.stringify('x'.repeat(2000))}`
const url = '/plugins/notes/console.js'

async function createSite() {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-plugin-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const app = createServer(parseConfig({}), undefined)
  const file = join(dir, 'console.js')
  consoleFileRoute(app, { plugin: { id: 'notes' }, console: file } as unknown as LoadedPlugin)
  await app.ready()
  onTestFinished(() => app.close())
  return { app, file }
}

it('serves the console half as the last build made it, compressed where the build did so, and 304 where it is known', async () => {
  const { app, file } = await createSite()
  expect((await app.inject(url)).statusCode).toBe(404)
  writeFileSync(file, script)
  const plain = await app.inject(url)
  expect([plain.statusCode, plain.body]).toEqual([200, script])
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=0, must-revalidate',
  })
  writeFileSync(`${file}.br`, brotliCompressSync(script))
  const headers = { 'accept-encoding': 'gzip, br' }
  const compressed = await app.inject({ url, headers })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script)
  const known = await app.inject({ url, headers: { ...headers, 'if-none-match': String(compressed.headers.etag) } })
  expect([known.statusCode, known.body]).toEqual([304, ''])
})
