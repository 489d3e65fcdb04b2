import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parsePath, refuse, splitList } from './config-values.ts'

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) return refuse('PORT', `"${text}" is not a port. Write a number from 0 to 65535.`)
  return port
}

/** The path of a Unix socket; undefined if the host is an address. */
export const socketPathOf = (host: string): string | undefined =>
  host.startsWith('unix:') ? host.slice('unix:'.length) : undefined

const maxProcesses = 256

export function parseProcesses(text: string): number {
  if (text === 'auto') return availableParallelism()
  const processes = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN
  if (processes <= maxProcesses) return processes
  return refuse(
    'PROCESSES',
    `"${text}" is not a number of processes. Write a whole number from 1 to ${maxProcesses}, or auto.`,
  )
}

const maxDrainSeconds = 600

export function parseDrain(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= maxDrainSeconds) return seconds
  return refuse(
    'DRAIN_SECONDS',
    `"${text}" is not a number of seconds. Write a whole number from 0 to ${maxDrainSeconds}.`,
  )
}

/** The longest path of a socket that every system takes. */
const maxSocketPath = 103

const isHostName = (text: string): boolean =>
  text !== '*' && URL.parse(`http://${text}`)?.hostname === text.toLowerCase()

export function parseHost(given: string): string {
  const path = socketPathOf(given)
  if (path === undefined) {
    const text = given.replace(/^\[(.*)\]$/, '$1') // as URLs write IPv6
    if (isIP(text) !== 0 || isHostName(text)) return text
    return refuse(
      'HOST',
      `"${text}" is not an address. Write for example 127.0.0.1, 0.0.0.0 or ::, without a port (that is GATEHOUSE_PORT).`,
    )
  }
  const full = parsePath('HOST', path)
  if (path === '' || Buffer.byteLength(full) > maxSocketPath) {
    return refuse(
      'HOST',
      `name a socket by a path of at most ${maxSocketPath} bytes, for example unix:/run/gatehouse/gatehouse.sock.`,
    )
  }
  return `unix:${full}`
}

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

export function parseTrustProxy(text: string): string[] {
  const addresses = splitList(text)
  const wrong = addresses.find((address) => address !== 'unix' && !isAddressOrRange(address))
  if (wrong !== undefined) {
    return refuse(
      'TRUST_PROXY',
      `"${wrong}" is not an address or range. Write for example 10.0.0.1,192.168.0.0/16, or unix for a proxy on the Unix socket.`,
    )
  }
  return addresses
}
