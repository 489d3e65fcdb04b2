import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Processes from '../../server/src/testing/server-process.ts'
import { load, type Measure } from './measure.ts'
import { readRoleNames, writeRoles } from './write-roles.ts'

const clients = 8
const megabytes = 256
/** How often the kernel writes what nobody has synced; 0 is never. */
const writebackSetting = '/proc/sys/vm/dirty_writeback_centisecs'

const run = (file: string, ...args: readonly string[]) => execFileSync(file, args, { stdio: 'pipe' })

/**
 * A file system in a file. A power cut is a copy of that file while the process is stopped: it holds what was synced, and
 * nothing that is only in the kernel's memory.
 */
function createDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-power-'))
  const [image, copy, mountPoint] = ['image', 'copy', 'mount'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const writeback = readFileSync(writebackSetting, 'utf8')
  run('truncate', '-s', `${megabytes}M`, image)
  run('mkfs.ext4', '-q', '-F', image)
  run('mkdir', mountPoint)
  const mount = () => run('mount', '-o', 'loop,commit=300', image, mountPoint)
  const unmount = () => run('umount', mountPoint)
  mount()
  writeFileSync(writebackSetting, '0')
  return {
    mountPoint,
    cut: () => run('cp', '--sparse=always', image, copy),
    /** Begins again with what the last cut left. */
    recover: () => {
      unmount()
      run('mv', copy, image)
      mount()
    },
    remove: () => {
      writeFileSync(writebackSetting, writeback)
      unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const powerCut: Measure = {
  promise: 'no answered write is lost in a power cut, on a disk that keeps what was synced',
  databases: ['sqlite'], // PostgreSQL makes the same promise of its own files
  needs: () =>
    process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'Linux, and root to mount a disk',
  guards: {
    'each commit is synced': [{ file: 'db/sqlite/log-sync.ts', find: '    await sync(this.#file)', replace: '' }],
    'the secret key is synced': [
      { file: 'core/secret-file.ts', find: '  syncPath(dirname(path))', replace: '  //' },
      { file: 'core/durable-file.ts', find: '    fsyncSync(file)', replace: '' },
    ],
  },
  take: async (stand) => {
    const { createInstallation, newKey } = await load<typeof Processes>(stand, 'testing/server-process.ts')
    const disk = createDisk()
    const settings = {
      GATEHOUSE_ADMIN_API_KEY: newKey(),
      GATEHOUSE_DATA_DIR: disk.mountPoint,
      GATEHOUSE_DATABASE_URL: `sqlite:${join(disk.mountPoint, 'gatehouse.db')}`,
    }
    const place = await createInstallation(null, settings, stand.build.root)
    const cuts = stand.isShort ? 5 : 50
    const answered = new Set<string>()
    try {
      for (let cut = 0; cut < cuts; cut++) {
        const server = await place.start()
        const count = 10 + ((cut * 17) % 60)
        await writeRoles(server, { clients, count, label: `${cut}`, answered }, () => {
          server.process.kill('SIGSTOP')
          disk.cut()
        })
        await server.stop('SIGKILL')
        disk.recover()
      }
      const server = await place.start()
      const there = await readRoleNames(server)
      await server.stop()
      const lost = [...answered].filter((name) => !there.has(name)).length
      return { figure: `${cuts} power cuts, ${answered.size} answered writes, ${lost} lost`, holds: lost === 0 }
    } finally {
      await place.remove()
      disk.remove()
    }
  },
}
