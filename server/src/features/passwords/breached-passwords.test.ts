import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { newcomer, register } from '../../testing/accounts.ts'
import { createTestApp } from '../../testing/app.ts'
import { createInstallation } from '../../testing/server-process.ts'
import { checkBreachedFile, isBreached } from './breached-passwords.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-breached-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
let files = 0
function write(lines: readonly string[], end = '\n'): string {
  const path = join(folder, `${++files}.txt`)
  writeFileSync(path, lines.map((line) => line + end).join(''))
  return path
}
const sorted = (count: number) => Array.from({ length: count }, (_, n) => hashOf(`leaked ${n}`)).sort()

describe('a file of breached passwords', () => {
  it.each([
    ['hashes alone', (hash: string) => hash, '\n'],
    ['counts behind a colon', (hash: string, n: number) => `${hash}:${(n % 97) * 104_729 + 1}`, '\n'],
    ['the line ends of Have I Been Pwned', (hash: string, n: number) => `${hash}:${n + 1}`, '\r\n'],
    ['lower case', (hash: string) => hash.toLowerCase(), '\n'],
  ])('finds each of its passwords and no other, with %s', async (_, toLine, end) => {
    for (const count of [1, 2, 3, 500]) {
      const path = write(sorted(count).map(toLine), end)
      await checkBreachedFile(path)
      for (let n = 0; n < count; n++) expect(await isBreached(path, `leaked ${n}`), `${n} of ${count}`).toBe(true)
      for (let n = 0; n < 20; n++) expect(await isBreached(path, `other ${n}`)).toBe(false)
    }
  })

  it('finds them without a final line end, and in NFC', async () => {
    const path = join(folder, 'open-end.txt')
    writeFileSync(path, [hashOf('café au lait'), hashOf('leaked')].sort().join('\n'))
    expect(await isBreached(path, 'leaked')).toBe(true)
    expect(await isBreached(path, 'cafe\u0301 au lait')).toBe(true)
  })

  it.each([
    ['there is none', () => join(folder, 'none.txt'), 'ENOENT'],
    ['is a folder', () => folder, 'EISDIR'],
    ['is empty', () => write([]), 'it holds no SHA-1 hash'],
    [
      'holds passwords',
      () => write(['password', 'hunter2', ...Array(9).fill('letmein')]),
      'there is no SHA-1 hash at byte 0',
    ],
    [
      'holds hashes of another kind',
      () => write(sorted(99).map((hash) => hash.slice(8))),
      'there is no SHA-1 hash at byte 0',
    ],
    ['is in order of how often', () => write(sorted(300).reverse()), 'it is not in order of the hashes'],
  ])('that %s prevents the start with one line that says why', async (_, make, why) => {
    const path = make()
    await expect(checkBreachedFile(path)).rejects.toThrow(why)
    const place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_BREACHED_PASSWORDS: path })
    onTestFinished(place.remove)
    const { code, stderr } = await place.run(['migrate'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^gatehouse: GATEHOUSE_BREACHED_PASSWORDS: [^\n]+ cannot be used [^\n]+\n$/)
    expect(stderr).toContain(why)
  })
})

// asvs: 6.2.12
it('every path that sets a password refuses one in the file, with its own error code', async () => {
  const breached = 'this phrase has leaked somewhere'
  const GATEHOUSE_BREACHED_PASSWORDS = write([...sorted(200), hashOf(breached)].sort())
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_BREACHED_PASSWORDS })
  const both = (password: string) => ({ password, password_confirmation: password })
  const { user } = await t.createUser()
  const answers = [
    await register(t, newcomer(both(breached))),
    await t.call('POST /users', { body: { email: 'new@example.com', role_id: 2, ...both(breached) } }),
    await t.call(`PATCH /users/${user.id}`, { body: both(breached) }),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([422, 'password_breached'])
  expect((await t.call(`PATCH /users/${user.id}`, { body: both(`${breached} not`) })).status).toBe(200)
  rmSync(GATEHOUSE_BREACHED_PASSWORDS)
  expect((await t.call(`PATCH /users/${user.id}`, { body: both(`${breached} either`) })).status).toBe(503)
})
