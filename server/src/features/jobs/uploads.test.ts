import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it, onTestFinished } from 'vitest'

const uploads = join(import.meta.dirname, 'uploads.ts')

/** On the disk, and not in PostgreSQL. */
const itOnDisk = it.runIf(inject('postgresUrl') === null)

itOnDisk('refuses a file that has no room on the disk, instead of keeping a part of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-uploads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = `
    process.on('SIGXFSZ', () => {})
    const { createUpload } = await import(${JSON.stringify(uploads)})
    const config = { database: { kind: 'sqlite', path: ${JSON.stringify(join(folder, 'db'))} } }
    const upload = await createUpload({ config })
    const whole = async () => {
      await upload.write(Buffer.alloc(100_000))
      await upload.finish()
    }
    console.log(await whole().then(() => 'kept', ({ code }) => upload.discard().then(() => code)))`
  // A file may have 64 blocks of 1,024 bytes; what is beyond is written in part, as on a full disk.
  const limited = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"'
  const { stdout } = await promisify(execFile)('/bin/bash', ['-c', limited, process.execPath, program])
  expect(stdout).toBe('EFBIG\n')
  expect(readdirSync(join(folder, 'db-uploads'))).toEqual([])
})
