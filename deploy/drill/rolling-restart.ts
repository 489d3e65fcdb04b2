import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@gatehouse/plugin-kit/testing'
import {
  call,
  describe,
  header,
  makeFolder,
  readRoles,
  root,
  row,
  run,
  startLoad,
  startNode,
  until,
} from './harness.ts'

// Restarts two nodes in turn behind each proxy, with the examples in deploy/, under load, and counts what failed.
//
//   node deploy/drill/rolling-restart.ts                     # 10 restarts behind each of haproxy, nginx, caddy
//   RESTARTS=50 APART=12 PAUSE=150 node deploy/drill/rolling-restart.ts nginx   # more behind one, 12 seconds apart, less load
//   BARE=1 node deploy/drill/rolling-restart.ts nginx        # proxy_pass and nothing else: what the defaults lose
//
// Needs Debian's packages of these proxies. The nodes share one SQLite database.

const restarts = Number(process.env.RESTARTS ?? 10)
const isBare = process.env.BARE !== undefined
/** From the end of one restart to the beginning of the next. */
const apartMs = Number(process.env.APART ?? 4) * 1_000
/** Of each of eight clients, after each request. */
const pauseMs = Number(process.env.PAUSE ?? 20)
const chosen = process.argv.slice(2)

type Ports = readonly [proxy: number, one: number, two: number]

const example = (path: string, [proxy, one, two]: Ports): string =>
  readFileSync(join(root, 'deploy', path), 'utf8')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${proxy}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${one}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${two}`)

const bareNginx = ([proxy, one, two]: Ports): string => `
  upstream gatehouse { server 127.0.0.1:${one}; server 127.0.0.1:${two}; }
  server { listen 127.0.0.1:${proxy}; location / { proxy_pass http://gatehouse; } }`

const proxies: Record<string, (folder: string, ports: Ports) => [string, string[], Record<string, string>?]> = {
  haproxy: (folder, ports) => {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, example('haproxy/haproxy.cfg', ports))
    return ['haproxy', ['-db', '-f', file]]
  },
  nginx: (folder, ports) => {
    const file = join(folder, 'nginx.conf')
    const site = isBare ? bareNginx(ports) : example('nginx/gatehouse.conf', ports)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    const events = 'daemon off; worker_processes 1; events { worker_connections 4096; }'
    writeFileSync(
      file,
      `${events} pid ${folder}/nginx.pid; error_log ${folder}/error.log; http { access_log off; ${paths} ${site} }`,
    )
    return ['nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')]]
  },
  caddy: (folder, ports) => {
    const file = join(folder, 'Caddyfile')
    const [proxy] = ports
    writeFileSync(
      file,
      `{\n\tadmin off\n\tauto_https off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${example('caddy/Caddyfile', ports)}`,
    )
    return ['caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { SITE: `http://127.0.0.1:${proxy}` }]
  },
}

/** Why nginx answered 502 itself. */
const reasonsIn = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.includes('[error]'))
        .map((line) => line.replace(/, client: .*?, request: /, ', ').slice(0, 200))
    : []

async function drill(name: string): Promise<void> {
  const folder = makeFolder()
  chmodSync(folder, 0o755)
  const ports: Ports = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${ports[0]}`
  const settings = { GATEHOUSE_PUBLIC_URL: url, GATEHOUSE_TRUST_PROXY: '127.0.0.1' }
  const nodes = [await startNode(folder, ports[1], settings), await startNode(folder, ports[2], settings)]
  const [file, args, env] = (proxies[name] as (typeof proxies)[string])(folder, ports)
  const proxy = run(file, args, env, folder)
  await until(async () => proxy.exitCode !== null || (await call(`${url}/readyz`)).status === 200, name)
  if (proxy.exitCode !== null) throw new Error(`${name} did not start`)
  await setTimeout(5_000) // until it has asked both nodes

  const load = startLoad(url, 4, pauseMs)
  const began = performance.now()
  for (let nth = 0; nth < restarts; nth++) {
    const which = nth % 2
    await nodes[which]?.stop()
    nodes[which] = await startNode(folder, ports[1 + which] as number, settings)
    await setTimeout(apartMs)
  }
  const { sent, failures, written } = await load.stop()
  const seconds = Math.round((performance.now() - began) / 1000)
  const found = await readRoles(nodes[0]?.url as string)
  const lost = [...written].filter((role) => !found.has(role)).length
  row(isBare ? `${name}, bare` : name, restarts, seconds, sent, describe(failures), written.size, lost)
  for (const line of failures.size === 0 ? [] : reasonsIn(join(folder, 'error.log'))) process.stderr.write(`${line}\n`)
  proxy.kill('SIGTERM')
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
}

header('proxy', 'restarts', 'seconds', 'requests', 'failed', 'writes acknowledged', 'lost')
for (const name of chosen.length > 0 ? chosen : Object.keys(proxies)) await drill(name)
process.exit()
