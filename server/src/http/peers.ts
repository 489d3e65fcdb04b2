import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, socketPathOf } from '../config.ts'

/** What stands for the address of a caller on the Unix socket, who has none. */
const unixPeer = 'unix'

/** Gives callers on the Unix socket a name where others have their address: for limits, logs and the audit log. */
export function nameUnixPeers(app: FastifyInstance, { host }: Pick<Config, 'host'>): void {
  if (socketPathOf(host) === undefined) return
  app.server.prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: unixPeer })
  })
}

export type IsTrusted = (address: string, hop: number) => boolean

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Tells Fastify whose `X-Forwarded-For` to believe: addresses, ranges, and `unix` for the proxy on the Unix socket. */
export function trustedProxies(proxies: readonly string[]): IsTrusted | false {
  if (proxies.length === 0) return false
  const trusted = new BlockList()
  for (const proxy of proxies.filter((name) => name !== unixPeer)) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  const trustsUnix = proxies.includes(unixPeer)
  return (address, hop) =>
    address === unixPeer ? trustsUnix && hop === 0 : isIP(address) !== 0 && trusted.check(address, familyOf(address))
}

/** What may stand in our log and audit log, whoever sent it. */
const requestIdForm = /^[\w.:=+/-]{8,128}$/

/** Names each request: as a trusted proxy has named it, so that one id finds it in the logs of both, or with a new id. */
export function requestIds(isTrusted: IsTrusted | false): (request: IncomingMessage) => string {
  if (isTrusted === false) return () => randomUUID()
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    const isKept = typeof given === 'string' && requestIdForm.test(given) && isTrusted(socket.remoteAddress ?? '', 0)
    return isKept ? given : randomUUID()
  }
}
