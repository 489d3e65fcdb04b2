import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import { extract } from 'tar-stream'
import { ArchiveError, format, type Header, type Manifest, names } from './archive.ts'
import type { Table, TableSum } from './snapshot.ts'
import { createMeter } from './snapshot.ts'

type Entry = AsyncIterable<Buffer> & { readonly header: { readonly name: string; readonly size?: number | undefined } }

const ageMagic = 'age-encryption.org/v1'
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const mostJson = 16 * 2 ** 20
const mostFile = 64 * 2 ** 20

/** What is done with the parts of an archive. The order of calls is that of the archive. */
export interface ArchiveReader {
  readonly header: (header: Header) => Promise<void>
  /** Reads all chunks. */
  readonly rows: (table: Table, chunks: AsyncIterable<Buffer>) => Promise<void>
  readonly avatar: (name: string, content: Buffer) => Promise<void>
  readonly secret: (name: string, content: Buffer) => Promise<void>
  readonly onRows: (rows: number) => void
}

const damaged = (error: unknown): ArchiveError =>
  error instanceof ArchiveError ? error : new ArchiveError(`it is damaged (${(error as Error).message})`)

async function contentOf(entry: Entry, most: number): Promise<Buffer> {
  if ((entry.header.size ?? 0) > most) throw new ArchiveError(`${entry.header.name} is too large`)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of entry) chunks.push(chunk)
  } catch (error) {
    throw damaged(error)
  }
  return Buffer.concat(chunks)
}

async function jsonOf<T>(entry: Entry): Promise<T> {
  const text = (await contentOf(entry, mostJson)).toString()
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw damaged(error)
  }
}

async function readMagic(path: string): Promise<Buffer> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ArchiveError(code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`)
  } finally {
    await file?.close()
  }
}

async function* decrypted(path: string, passphrase: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
  const plain = await decrypter.decrypt(file).catch(() => {
    throw new ArchiveError('the passphrase is wrong')
  })
  yield* plain
}

async function openArchive(path: string, passphrase: string | undefined): Promise<Readable> {
  const magic = await readMagic(path)
  if (magic.subarray(0, ageMagic.length).toString('latin1') === ageMagic) {
    if (passphrase === undefined) throw new ArchiveError('it is encrypted: give --passphrase-file')
    return Readable.from(decrypted(path, passphrase))
  }
  if (!magic.subarray(0, zstdMagic.length).equals(zstdMagic)) throw new ArchiveError('it is no archive of Gatehouse')
  // Somebody may have put it in the place of the encrypted one.
  if (passphrase !== undefined) throw new ArchiveError('it is not encrypted: leave --passphrase-file out')
  return createReadStream(path)
}

/** Reads a whole archive and throws ArchiveError unless all of it is what it was when it was made. */
export async function readArchive(
  path: string,
  passphrase: string | undefined,
  reader: ArchiveReader,
): Promise<{ header: Header; manifest: Manifest }> {
  const tar = extract()
  const unpacking = pipeline(await openArchive(path, passphrase), createZstdDecompress(), tar)
  unpacking.catch(() => {}) // the entries end with the same error
  try {
    return await readEntries(tar[Symbol.asyncIterator](), reader)
  } finally {
    tar.destroy()
    await unpacking.catch(() => {})
  }
}

async function readEntries(
  entries: AsyncIterator<unknown>,
  reader: ArchiveReader,
): Promise<{ header: Header; manifest: Manifest }> {
  let entry: Entry | undefined
  const next = async (): Promise<Entry | undefined> => {
    const found = await entries.next().catch((error) => {
      throw damaged(error)
    })
    entry = found.done ? undefined : (found.value as Entry)
    return entry
  }
  const first = await next()
  if (first?.header.name !== names.header) throw new ArchiveError('it is no archive of Gatehouse')
  const header = await jsonOf<Header>(first)
  if (header.format !== format)
    throw new ArchiveError(`it has the format ${header.format}, which this version does not know`)
  await reader.header(header)
  await next()

  const tables: Record<string, TableSum> = {}
  for (const table of header.tables) {
    const { measure, sum } = createMeter(reader.onRows)
    const prefix = `tables/${table.name}/`
    async function* chunks(): AsyncGenerator<Buffer> {
      try {
        while (entry?.header.name.startsWith(prefix)) {
          yield* entry
          await next()
        }
      } catch (error) {
        throw damaged(error)
      }
    }
    await reader.rows(table, measure(chunks()))
    tables[table.name] = sum()
  }
  const avatars = createHash('sha256')
  let files = 0
  const secrets: Record<string, string> = {}
  for (; entry !== undefined && entry.header.name !== names.manifest; await next()) {
    const [folder, name = ''] = entry.header.name.split('/')
    const content = await contentOf(entry, mostFile)
    const sha256 = createHash('sha256').update(content).digest('hex')
    if (folder === 'avatars') {
      avatars.update(`${sha256}  ${name}\n`)
      files++
      await reader.avatar(name, content)
    } else if (folder === 'secrets') {
      secrets[name] = sha256
      await reader.secret(name, content)
    } else throw new ArchiveError(`it has an unknown entry ${entry.header.name}`)
  }
  if (entry === undefined) throw new ArchiveError('its end is missing')
  const manifest = await jsonOf<Manifest>(entry)
  await next()
  assertSame(manifest, { tables, avatars: { files, sha256: avatars.digest('hex') }, secrets })
  return { header, manifest }
}

function assertSame(manifest: Manifest, found: Pick<Manifest, 'tables' | 'secrets'> & { avatars: object }): void {
  for (const [table, { rows, sha256 }] of Object.entries(manifest.tables)) {
    const sum = found.tables[table]
    if (sum?.rows !== rows || sum.sha256 !== sha256) throw new ArchiveError(`the table ${table} is not what it was`)
  }
  const { missing: _, ...avatars } = manifest.avatars
  if (JSON.stringify(avatars) !== JSON.stringify(found.avatars))
    throw new ArchiveError('the avatars are not what they were')
  if (JSON.stringify(manifest.secrets) !== JSON.stringify(found.secrets))
    throw new ArchiveError('the secrets are not what they were')
}
