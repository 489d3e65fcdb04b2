import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath, writeNewFile } from './durable-file.ts'
import { createPrivateFolder } from './private-folder.ts'

/** The secret in a file; undefined if there is no such file. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The secret in a file, created on first use. If two processes create it at once, one wins and both read its value. */
export function readOrMakeSecretFile(path: string, make: () => string): string {
  const known = readSecretFile(path)
  if (known !== undefined) return known
  createPrivateFolder(dirname(path))
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeNewFile(draft, `${make()}\n`)
  try {
    linkSync(draft, path) // atomically, and never over another process's file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncPath(dirname(path)) // what is sealed with the secret would be lost with it
  return readSecretFile(path) as string
}
