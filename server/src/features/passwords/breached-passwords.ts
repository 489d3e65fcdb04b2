import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/*
 * A file of SHA-1 hashes of leaked passwords, one per line, sorted, in the format of Have I Been Pwned: 40 hexadecimal
 * digits, with or without a colon and a count. The file has tens of gigabytes, so it is searched on disk.
 */

const hashLength = 40
/** Maximum length of a line: hash, colon, count, CR LF. */
const longestLine = 64
const pattern = /^([0-9A-Fa-f]{40})(:\d{1,18})?\r?$/

interface Line {
  readonly hash: string
  readonly start: number
  /** Where the next line starts. */
  readonly end: number
}

/** The line that contains the byte at `position`; throws if it is not a hash. */
async function readLine(file: FileHandle, position: number): Promise<Line> {
  const from = Math.max(0, position - longestLine)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2 * longestLine), 0, 2 * longestLine, from)
  const text = buffer.toString('latin1', 0, bytesRead)
  const start = position === 0 ? 0 : text.lastIndexOf('\n', position - from - 1) + 1
  const newline = text.indexOf('\n', position - from)
  const end = newline === -1 ? text.length : newline
  const hash = pattern.exec(text.slice(start, end))?.[1]
  if (hash === undefined) throw new Error(`there is no SHA-1 hash at byte ${from + start}`)
  return { hash: hash.toUpperCase(), start: from + start, end: from + end + 1 }
}

/** True if the password is in the file. Takes about thirty small reads for a thousand million hashes. */
export async function isBreached(path: string, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
  const file = await open(path)
  try {
    let [low, high] = [0, (await file.stat()).size]
    while (low < high) {
      const line = await readLine(file, Math.floor((low + high) / 2))
      if (line.hash === wanted) return true
      if (line.hash < wanted) low = line.end
      else high = line.start
    }
    return false
  } finally {
    await file.close()
  }
}

const samples = 256

/** Checks both ends and some places in between, and throws an error that says why the file cannot be searched. */
export async function checkBreachedFile(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size < hashLength) throw new Error('it holds no SHA-1 hash')
    let before: Line | undefined
    for (let sample = 0; sample <= samples; sample++) {
      const line = await readLine(file, Math.floor(((size - 1) * sample) / samples))
      if (before !== undefined && line.start !== before.start && line.hash <= before.hash) {
        throw new Error(`it is not in order of the hashes (byte ${line.start})`)
      }
      before = line
    }
  } finally {
    await file.close()
  }
}
