/**
 * The network of an address, for limits: an IPv4 address, or the first four groups (the /64) of an IPv6 address, because
 * anybody can use that many addresses. Text that is not an address is returned as it is.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
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
