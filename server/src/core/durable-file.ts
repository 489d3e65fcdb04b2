import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'

/** Writes a new file that only its owner may read, and that a power cut no longer empties. Throws if there is one already. */
export function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Brings a file to the disk, or a folder: a new name in it survives a power cut only after the folder itself was synced. */
export function syncPath(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
