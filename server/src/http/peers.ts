import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, socketPathOf } from '../config.ts'
import { canonicalAddress } from '../core/addresses.ts'

/** What stands for the address of a caller on the Unix socket, who has none. */
const unixPeer = 'unix'

/**
 * Names callers for limits, logs and the audit log: on the Unix socket, where they have no address, and where IPv6 is listened
 * on, which maps the addresses of IPv4.
 */
export function namePeers(app: FastifyInstance, { host }: Pick<Config, 'host'>): void {
  const isUnix = socketPathOf(host) !== undefined
  app.server.prependListener('connection', (socket: Socket) => {
    const address = isUnix ? unixPeer : canonicalAddress(socket.remoteAddress ?? '')
    if (address === undefined || address === socket.remoteAddress) return
    Object.defineProperty(socket, 'remoteAddress', { value: address })
  })
}

/**
 * Leaves the hops of `X-Forwarded-For` that are addresses, in their canonical form, from the right up to the first that is
 * none: whoever wrote that is the caller then.
 */
export function cleanForwardedFor({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for']
  if (given === undefined) return
  const hops = String(given)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
    .map(canonicalAddress)
  headers['x-forwarded-for'] = hops.slice(hops.lastIndexOf(undefined) + 1).join(',')
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
