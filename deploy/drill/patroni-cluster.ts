import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { makeFolder, run, until } from './harness.ts'
import { postgresProgram, userId } from './postgres.ts'

/** Two machines with PostgreSQL and Patroni, each a network namespace; this process is the third, with etcd and the service. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** Starts Patroni, and with it PostgreSQL. */
  readonly start: () => void
  /** Ends everything on it at once. */
  readonly kill: () => Promise<void>
  /** Unplugs its network cable, or plugs it in again. */
  readonly setPlugged: (isPlugged: boolean) => void
  /** Every process of PostgreSQL, without Patroni. */
  readonly postgresProcesses: () => number[]
  /** Whether it takes writes: asked as an operator would, not through the service. */
  readonly takesWrites: () => Promise<boolean>
  readonly isSynchronous: () => Promise<boolean>
}

const hub = '10.77.0.1'
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })

/** Times as short as Patroni takes them: a leader that is silent for 20 s is replaced. */
const times = ['    ttl: 20', '    loop_wait: 2', '    retry_timeout: 3']

const configOf = (name: string, address: string, folder: string): string =>
  [
    'scope: drill',
    `name: ${name}`,
    `restapi: { listen: '${address}:8008', connect_address: '${address}:8008' }`,
    `etcd3: { host: '${hub}:2379' }`,
    'bootstrap:',
    '  dcs:',
    ...times,
    '    synchronous_mode: true',
    '    postgresql: { use_pg_rewind: true, parameters: { max_connections: 60, log_min_messages: panic } }',
    '  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }]',
    'postgresql:',
    `  listen: '${address}:5432'`,
    `  connect_address: '${address}:5432'`,
    `  data_dir: '${folder}/data'`,
    `  bin_dir: '${dirname(postgresProgram('postgres'))}'`,
    `  pgpass: '${folder}/pgpass'`,
    '  authentication: { superuser: { username: postgres, password: drill }, replication: { username: replicator, password: drill } }',
    '  pg_hba: [host all all all trust, host replication all all trust, local all all trust]',
    `  parameters: { unix_socket_directories: '${folder}' }`,
    'log: { level: CRITICAL }',
  ].join('\n')

async function ask(address: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ host: address, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 500 })
  client.on('error', () => {})
  const ended = setTimeout(() => client.end().catch(() => {}), 1_000)
  try {
    await client.connect()
    return Object.values((await client.query(sql)).rows[0] ?? {})[0]
  } finally {
    clearTimeout(ended)
    client.end().catch(() => {})
  }
}

function childrenOf(pid: number): number[] {
  const direct = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  return direct.flatMap((child) => [child, ...childrenOf(child)])
}

function createMachine(nth: number): Machine {
  const name = `pg${nth}`
  const address = `10.77.0.${10 + nth}`
  const space = `gatehouse-${process.pid}-${name}`
  ip('netns', 'add', space)
  process.prependListener('exit', () => ip('netns', 'del', space))
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  ip('link', 'set', name, 'master', 'hub', 'up')
  ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['eth0', 'lo']) ip('-n', space, 'link', 'set', device, 'up')

  const folder = makeFolder()
  const { uid, gid } = userId()
  chmodSync(folder, 0o755)
  chownSync(folder, uid, gid)
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  chownSync(join(folder, 'data'), uid, gid)
  const config = join(folder, 'patroni.yml')
  writeFileSync(config, configOf(name, address, folder))
  let patroni: ChildProcess | undefined
  const pidFile = () => Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const postgresProcesses = () => [pidFile(), ...childrenOf(pidFile())]
  process.prependListener('exit', () => killNow())

  function killNow(): void {
    for (const list of [() => [patroni?.pid ?? 0], postgresProcesses]) {
      try {
        for (const pid of list()) if (pid > 1) process.kill(pid, 'SIGKILL')
      } catch {} // not running
    }
  }

  return {
    name,
    address,
    start: () => {
      const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
      patroni = run('ip', ['netns', 'exec', space, ...as, 'patroni', config], { PATH: '/usr/sbin:/usr/bin:/bin' })
    },
    kill: async () => {
      const ended = patroni && once(patroni, 'exit')
      killNow()
      await ended
    },
    setPlugged: (isPlugged) => ip('link', 'set', name, isPlugged ? 'up' : 'down'),
    postgresProcesses,
    takesWrites: async () => (await ask(address, 'select pg_is_in_recovery()')) === false,
    isSynchronous: async () =>
      (await ask(address, `select count(*)::int from pg_stat_replication where sync_state = 'sync'`)) === 1,
  }
}

export async function startCluster(): Promise<readonly [Machine, Machine]> {
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'hub', 'type', 'bridge')
  ip('addr', 'add', `${hub}/24`, 'dev', 'hub')
  ip('link', 'set', 'hub', 'up')
  const client = `http://${hub}:2379`
  const etcd = ['--data-dir', makeFolder(), '--listen-client-urls', client, '--advertise-client-urls', client]
  run('etcd', [...etcd, '--listen-peer-urls', 'http://127.0.0.1:2380', '--log-level', 'error'])
  const machines = [createMachine(1), createMachine(2)] as const
  const [first, second] = machines
  first.start()
  await until(first.takesWrites, 'the first server')
  second.start()
  await until(first.isSynchronous, 'the second server to be a synchronous standby')
  return machines
}
