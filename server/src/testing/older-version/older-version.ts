import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { extract } from 'tar-stream'
import { root } from '../server-process.ts'

/** Where each package of this repository is. */
const own: Readonly<Record<string, string>> = {
  server: 'server',
  'plugin-kit': 'plugin-kit',
  'plugin-announcements': 'plugins/announcements',
}

async function unpack(folder: string): Promise<void> {
  const archive = createReadStream(join(import.meta.dirname, 'older-version.tar.zst'))
  const entries = archive.pipe(createZstdDecompress()).pipe(extract())
  for await (const entry of entries) {
    const content = await buffer(entry)
    if (entry.header.type !== 'file') continue
    const path = join(folder, entry.header.name)
    if (!path.startsWith(folder + sep)) throw new Error(`${entry.header.name} is outside of the archive's folder`)
    mkdirSync(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
}

/** Today's libraries, with the packages of then. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@gatehouse'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@gatehouse' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const [name, path] of Object.entries(own)) symlinkSync(join(folder, path), join(modules, '@gatehouse', name))
  const ofServer = join(root, 'server/node_modules')
  if (existsSync(ofServer)) symlinkSync(ofServer, join(folder, 'server/node_modules'))
}

/** An older version of the program, from before some of today's migrations, in a folder of its own. */
export async function unpackOlderVersion(): Promise<{ root: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  await unpack(folder)
  linkPackages(folder)
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
