import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.process>

/** Parses an address. An IPv4 address that IPv6 maps is that IPv4 address; a zone (`%eth0`) is left out. */
const parse = (text: string): Address | undefined =>
  isIP(text) === 0 ? undefined : ipaddr.process(text.replace(/%.*$/, ''))

/**
 * The canonical text of an address, which proxies also write with a port or brackets: `192.0.2.7:443`,
 * `[2001:db8::1]:443`. An IPv4 address that IPv6 maps is that IPv4 address. Undefined for anything else.
 */
export const canonicalAddress = (text: string): string | undefined =>
  parse(text.replace(/^\[(.+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, '$1$2'))?.toString()

/**
 * The network of an address, for limits: an IPv4 address, or the first four groups (the /64) of an IPv6 address, because
 * anybody can use that many addresses. Text that is not an address is returned as it is.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const address = parse(ip)
  if (address === undefined) return ip
  if (!('parts' in address)) return address.toString()
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The host of a URL, an IPv6 address without its brackets: as functions that connect and compare take it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * The larger network around a network in the form of `networkOf`: the /24 of IPv4 or the /48 of IPv6, which a provider
 * assigns to one customer.
 */
export function widerNetworkOf(network: string): string {
  if (network.includes(':')) return `${network.split(':').slice(0, 3).join(':')}::/48`
  const octets = network.split('.')
  return octets.length === 4 ? `${octets.slice(0, 3).join('.')}.0/24` : network
}
