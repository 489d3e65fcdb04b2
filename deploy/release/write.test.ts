import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyReadme, root } from './write.ts'

it('a README that is packed links to no file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['server', 'client']) {
    copyReadme(join(root, name), folder)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# /)
  }
  writeFileSync(join(folder, 'README.md'), 'See [the guide](docs/guide.md).')
  expect(() => copyReadme(folder, folder)).toThrow('](docs/guide.md) leads nowhere')
})

it('the release refuses a folder as its argument, before it builds anything', () => {
  const given = [join(import.meta.dirname, 'release.ts'), join(tmpdir(), 'gatehouse-elsewhere')]
  const { status, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', timeout: 4_000 })
  expect([status, stderr]).toEqual([1, 'npm run release takes no argument: the packages are written to release/.\n'])
})
