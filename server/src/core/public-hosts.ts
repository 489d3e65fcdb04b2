import ipaddr from 'ipaddr.js'

const { IPv4, IPv6 } = ipaddr

/** Name endings that are never in the public DNS (RFC 6761, 6762 with its appendix G, 8375; ICANN's `internal`). */
const privateDomains = ['localhost', 'local', 'internal', 'home.arpa', 'intranet', 'private', 'corp', 'home', 'lan']

/** Address ranges that the IANA assigns to the public. All others are private, reserved or translate to IPv4. */
const globalIPv6 = IPv6.parseCIDR('2000::/3')

/**
 * True if a host is on the public internet, judged by its name or address alone: no private, loopback, link-local, shared or
 * reserved address in any notation, no local network name. Names are not resolved.
 */
export function isPublicHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '')
  // A URL has its IPv4 host in dotted decimal, whatever the notation was (0x7f.1, 2130706433, ①②⑦.0.0.1).
  if (IPv4.isValidFourPartDecimal(host)) return IPv4.parse(host).range() === 'unicast'
  if (host.startsWith('[')) {
    const address = IPv6.parse(host.slice(1, -1))
    return address.range() === 'unicast' && address.match(globalIPv6)
  }
  return host.includes('.') && !privateDomains.some((domain) => host.endsWith(`.${domain}`))
}
