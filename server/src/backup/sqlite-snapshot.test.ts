import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { partBytes } from '../features/jobs/uploads.ts'
import { sqliteSnapshot } from './sqlite-snapshot.ts'

const uploads = {
  name: 'uploads',
  key: ['name', 'part'],
  columns: [
    { name: 'name', type: 'text' },
    { name: 'part', type: 'integer' },
  ],
} as const

it('leaves out an upload whose import ends while the others are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-snapshot-'))
  const db = new Sqlite(':memory:')
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  const files = ['a', 'b', 'c'].map((name) => join(folder, name))
  // The bytes of a row are gathered until there is a chunk of them, and the first file fills one.
  for (const file of files) writeFileSync(file, Buffer.alloc(partBytes + 1))
  const snapshot = sqliteSnapshot(db, folder)
  const all = { ...uploads, columns: [...uploads.columns, { name: 'bytes', type: 'bytes' }] } as const
  expect(await snapshot.count('uploads')).toBe(6)
  let text = ''
  for await (const chunk of snapshot.rows(all)) {
    if (text === '') rmSync(files[1] as string)
    text += chunk
  }
  const read = text.split('\n').map((line) => line.split('\t', 2).join(' '))
  expect(read).toEqual(['a 0', 'a 1', 'c 0', 'c 1', ''])
})
