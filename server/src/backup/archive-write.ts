import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { type Pack, pack } from 'tar-stream'

/** The rows of a table are cut into files of about this size, because a tar file names each size before its content. */
const partBytes = 4 * 1024 * 1024
const lineEnd = 10

export interface ArchiveWriter {
  readonly add: (name: string, content: Buffer) => Promise<void>
  /** Adds a table in parts, each of whole lines. */
  readonly addRows: (table: string, chunks: AsyncIterable<Buffer>) => Promise<void>
}

function createWriter(tar: Pack): ArchiveWriter {
  const add = (name: string, content: Buffer): Promise<void> =>
    new Promise((done, fail) => {
      const entry = tar.entry({ name, size: content.length, mode: 0o600, mtime: new Date() }, (error) =>
        error ? fail(error) : done(),
      )
      entry.end(content)
    })
  async function addRows(table: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    let part = 0
    let waiting: Buffer[] = []
    let length = 0
    const addPart = async (content: Buffer) => {
      part++
      await add(`tables/${table}/${String(part).padStart(8, '0')}.copy`, content)
    }
    for await (const chunk of chunks) {
      waiting.push(chunk)
      length += chunk.length
      const end = chunk.lastIndexOf(lineEnd) + 1
      if (length < partBytes || end === 0) continue
      const all = Buffer.concat(waiting)
      const cut = all.length - chunk.length + end
      await addPart(all.subarray(0, cut))
      waiting = [all.subarray(cut)]
      length = all.length - cut
    }
    if (length > 0) await addPart(Buffer.concat(waiting))
  }
  return { add, addRows }
}

async function* encrypted(source: Readable, passphrase: string): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  yield* await encrypter.encrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>)
}

export const partialOf = (path: string): string => `${path}.partial`

/**
 * Writes an archive beside its place and puts it there when it is whole and on disk. Only its owner can read it. Nothing but a
 * file `PATH.partial` remains of one that is interrupted by a kill.
 */
export async function writeArchive(
  path: string,
  passphrase: string | undefined,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const partial = partialOf(path)
  await rm(partial, { force: true })
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  const tar = pack()
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const output =
    passphrase === undefined
      ? pipeline(tar, packed, file)
      : Promise.all([pipeline(tar, packed), pipeline(encrypted(packed, passphrase), file)])
  try {
    const filled = fill(createWriter(tar)).then(() => tar.finalize())
    filled.catch((error) => tar.destroy(error))
    await Promise.all([filled, output])
    await rename(partial, path)
    const folder = await open(dirname(path))
    await folder.sync()
    await folder.close()
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
