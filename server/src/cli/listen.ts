import cluster from 'node:cluster'
import { once } from 'node:events'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError, socketPathOf, withPort } from '../config.ts'

/** The proxy in front may use the socket if it is in the group of this process. */
const socketMode = 0o660

const listenFailure = ({ host, port }: Config, error: NodeJS.ErrnoException): Error => {
  const path = socketPathOf(host)
  if (path !== undefined)
    return new ConfigError(
      `GATEHOUSE_HOST: ${path} cannot be listened on (${error.code}). Name a place in a folder that this user may write to.`,
    )
  if (error.code === 'EADDRINUSE')
    return new ConfigError(
      `GATEHOUSE_PORT: ${port} is in use on ${host}. Stop the program that uses it, or choose another.`,
    )
  if (error.code === 'EACCES')
    return new ConfigError(`GATEHOUSE_PORT: this user may not listen on ${port}. Choose one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`GATEHOUSE_HOST: this machine has no address ${host}.`)
  return error
}

/** False if nobody accepts connections on the socket: it was left by a process that was killed. */
const isServed = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'))
  })

/** Removes the socket of a process that was killed; throws ConfigError if the place is taken. */
async function makeWay(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket())
    throw new ConfigError(`GATEHOUSE_HOST: ${path} is there and is not a socket. Choose another path.`)
  if (await isServed(path))
    throw new ConfigError(`GATEHOUSE_HOST: ${path} is in use. Stop the program that uses it, or choose another path.`)
  rmSync(path, { force: true })
}

/** Takes over the socket that the configuration names, if it names one and nobody uses it. */
async function makeWayFor({ host }: Pick<Config, 'host'>): Promise<void> {
  const path = socketPathOf(host)
  if (path !== undefined) await makeWay(path)
}

/**
 * Tries to listen, before anything is written; throws ConfigError if that fails. Port 0 stands for any free port. It is chosen
 * here, before links, cookies and the addresses of pictures are made with it.
 */
export async function tryToListen(config: Config): Promise<Config> {
  await makeWayFor(config)
  const path = socketPathOf(config.host)
  const server = createServer((socket) => socket.destroy())
  try {
    await once(server.listen(path === undefined ? { host: config.host, port: config.port } : { path }), 'listening')
    return path === undefined ? withPort(config, (server.address() as AddressInfo).port) : config
  } catch (error) {
    throw listenFailure(config, error as NodeJS.ErrnoException)
  } finally {
    server.close()
  }
}

/** Listens where the configuration says; throws ConfigError with one line that says what to do. */
export async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const path = socketPathOf(config.host)
  try {
    if (cluster.isPrimary) await makeWayFor(config)
    await app.listen(path === undefined ? { host: config.host, port: config.port } : { path })
    if (path !== undefined) chmodSync(path, socketMode)
  } catch (error) {
    throw error instanceof ConfigError ? error : listenFailure(config, error as NodeJS.ErrnoException)
  }
}
