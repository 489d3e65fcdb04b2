import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { asNdjson, importFile } from '../../testing/jobs.ts'
import { messageTo } from '../../testing/messages.ts'

/* Runs the commands of docs/migrating.md on a file of each system, in the shape of its real export. */

let t: TestApp
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrating-'))
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  cpSync(join(import.meta.dirname, 'samples'), folder, { recursive: true })
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/migrating.md'), 'utf8')

/** The commands under a heading that can be run without the other system. */
function convert(system: string): void {
  rmSync(join(folder, 'users.ndjson'), { force: true })
  const section = guide.split(/^## /m).find((part) => part.startsWith(`${system}\n`)) ?? ''
  const commands = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command)
  for (const command of commands.filter((text) => text.startsWith('node')))
    execFileSync('sh', ['-c', command], { cwd: folder })
}

const password = 'Grüße aus Köln 42'
const firebase = {
  algorithm: 'SCRYPT',
  base64_signer_key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 14,
}

it.each([
  ['Auth0', '', '', [['auth0@example.com', password]]],
  [
    'Firebase',
    '',
    `?hash_parameters=${encodeURIComponent(JSON.stringify(firebase))}`,
    [['firebase@example.com', 'user1password']],
  ],
  ['Keycloak', '', '', [['keycloak1', password]]],
  ['Supabase', 'supabase.csv', '', [['supabase@example.com', password]]],
  ['Laravel', 'laravel.ndjson', '', [['laravel@example.com', password]]],
  ['Django', '', '', [['django1', password]]],
] as const)(
  'an export of %s is imported as the guide says, and people sign in with their passwords',
  async (system, file, query, people) => {
    convert(system)
    const name = existsSync(join(folder, 'users.ndjson')) ? 'users.ndjson' : file
    const content = readFileSync(join(folder, name), 'utf8')
    const { job, errors } = await importFile(t, content, { ...(name.endsWith('.ndjson') ? asNdjson : {}), query })
    expect(errors).toEqual([])
    expect(job).toMatchObject({ failed: 0, status: 'done' })
    for (const [login, secret] of people) expect((await signIn(t, login, secret)).status).toBe(200)
  },
)

it('people from Cognito, which keeps its hashes, are invited', async () => {
  convert('Cognito')
  const content = readFileSync(join(folder, 'users.ndjson'), 'utf8')
  const { job, errors } = await importFile(t, content, { ...asNdjson, query: '?notify=invite' })
  expect([job.created, errors]).toEqual([1, []])
  expect((await messageTo(t, 'cognito@example.com', 'invitation')).template).toBe('invitation')
})

it('an Argon2 hash of Keycloak stands for an account that is still to be confirmed', async () => {
  expect((await signIn(t, 'keycloak2', password)).body.code).toBe('account_unconfirmed')
})
