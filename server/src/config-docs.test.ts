import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './config.ts'
import { root } from './testing/server-process.ts'

describe('what is written about settings', () => {
  let known: string[] = []
  try {
    parseConfig({ GATEHOUSE_X: '1' })
  } catch (error) {
    known = (error as Error).message.match(/GATEHOUSE_\w+(?=,)/g) ?? []
  }

  it('is one row in docs/configuration.md for each of them', () => {
    const guide = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const rows = [...guide.matchAll(/^\| `(GATEHOUSE_\w+)`/gm)].map(([, name]) => name)
    expect(rows.sort()).toEqual(known.toSorted())
  })

  it('names none that the start refuses, in the guides, deploy/ and the containers', () => {
    const below = (folder: string) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`)
    const files = ['README.md', 'CONTRIBUTING.md', 'Dockerfile', 'compose.yaml', ...below('docs'), ...below('deploy')]
    const texts = files.filter((file) => statSync(join(root, file)).isFile() && !/\.png$|decisions/.test(file))
    const strange = texts.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/GATEHOUSE_[A-Z_]+[A-Z]/g)]
        .filter(([name]) => !known.includes(name.replace(/_FILE$/, '')))
        .map(([name]) => `${file}: ${name}`),
    )
    expect(strange).toEqual([])
  })
})
