import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const { IPv4, IPv6 } = ipaddr

/** Address ranges that the IANA assigns to the public. All others are private, reserved or translate to IPv4. */
const globalIPv6 = IPv6.parseCIDR('2000::/3')
/** Addresses in public ranges that answer only inside of a provider's network: Azure's platform service for virtual machines. */
const insiders = new Set(['168.63.129.16'])

/** The address in its plain form: an IPv4 address that IPv6 wraps is that IPv4 address. Undefined for anything else. */
const parse = (address: string) => (isIP(address) === 0 ? undefined : ipaddr.process(address))

type Address = NonNullable<ReturnType<typeof parse>>

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  !insiders.has(address.toString()) &&
  (address.kind() === 'ipv4' || (address as InstanceType<typeof IPv6>).match(globalIPv6))

/** True if an address is on the public internet: not private, loopback, link-local, shared, multicast, reserved or translated. */
export function isPublicAddress(text: string): boolean {
  const address = parse(text)
  return address !== undefined && isPublic(address)
}

/** Name endings that are never in the public DNS (RFC 6761, 6762 with its appendix G, 8375; ICANN's `internal`). */
const privateDomains = ['localhost', 'local', 'internal', 'home.arpa', 'intranet', 'private', 'corp', 'home', 'lan']

/**
 * True if a host is on the public internet, judged by its name or address alone: a public address in any notation, or a name
 * that is not a local one. Names are not resolved.
 */
export function isPublicHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '')
  // A URL has its IPv4 host in dotted decimal, whatever the notation was (0x7f.1, 2130706433, ①②⑦.0.0.1).
  if (IPv4.isValidFourPartDecimal(host)) return isPublic(IPv4.parse(host))
  if (host.startsWith('[')) return isPublic(IPv6.parse(host.slice(1, -1)))
  return host.includes('.') && !privateDomains.some((domain) => host.endsWith(`.${domain}`))
}

export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** A network in CIDR notation, or one address; throws for anything else. */
export const parseNetwork = (text: string): Network =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), IPv4.isValid(text) ? 32 : 128]

export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = parse(text)
  if (address === undefined) return false
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
}

/** Says why a connection to an address is refused; undefined if it may be made. Without TLS only named networks may be reached. */
export function refusalOf(address: string, isEncrypted: boolean, networks: readonly Network[]): string | undefined {
  if (isInNetworks(address, networks)) return undefined
  if (!isEncrypted)
    return `http is allowed only to the networks of GATEHOUSE_WEBHOOK_NETWORKS, which ${address} is not in.`
  return isPublicAddress(address) ? undefined : `${address} is not an address on the public internet.`
}
