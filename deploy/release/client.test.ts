import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOf } from '../../server/src/testing/long-form.ts'
import { makeClient } from './client.ts'
import { root } from './write.ts'

/** TypeScript 5, which many applications have, also knows the module resolution of Node 10. */
const tsc = join(root, 'client/node_modules/typescript/bin/tsc')

let work: string
let modules: string
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work]
  execFileSync('npm', pack, { cwd: makeClient(work) })
  modules = join(work, 'node_modules')
  mkdirSync(join(modules, '@gatehouse/client'), { recursive: true })
  const [tarball = ''] = globSync('*.tgz', { cwd: work })
  execFileSync('tar', ['xzf', join(work, tarball), '--strip-components=1', '-C', join(modules, '@gatehouse/client')])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

const application = `
import { createClient, FeedError, verifyWebhook, WebhookVerificationError } from '@gatehouse/client'

const client = createClient({
  baseUrl: 'http://gatehouse.test/api',
  fetch: async () => Response.json({ data: { id: 2, email: 'ada@example.com' } }),
})
client.GET('/users/{id}', { params: { path: { id: 2 } } }).then(async ({ data }) => {
  const email: string | undefined = data?.data.email
  // @ts-expect-error a number
  const wrong: string | undefined = data?.data.id
  const refused = await verifyWebhook(new Request('http://a.test'), 'whsec_eA==').catch((error: unknown) => error)
  console.log(email, refused instanceof WebhookVerificationError, new FeedError(403, { message: 'No.', code: 'forbidden' }).code)
})
`

it.each(
  firstOf(
    [
      { type: 'module', module: 'node16' },
      { type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' },
      { type: 'commonjs', module: 'node16' },
      { type: 'module', module: 'esnext', moduleResolution: 'bundler' },
    ],
    2,
  ),
)('the packed client compiles and runs in an application of %j', ({ type, ...compilerOptions }) => {
  const folder = mkdtempSync(join(work, 'application-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  writeFileSync(join(folder, 'main.ts'), application)
  const shared = { target: 'es2022', strict: true, types: ['node'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...shared, ...compilerOptions } }))
  const compiled = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(compiled).toMatchObject({ status: 0, stdout: '' })
  // As in the first versions of Node 20, which cannot `require` an ES module.
  const main = ['--no-experimental-require-module', join(folder, 'main.js')]
  expect(execFileSync(process.execPath, main, { encoding: 'utf8' })).toBe('ada@example.com true forbidden\n')
})
