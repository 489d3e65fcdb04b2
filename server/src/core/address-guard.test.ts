import { describe, expect, it } from 'vitest'
import { isInNetworks, isPublicAddress, parseNetwork, refusalOf } from './address-guard.ts'

/* The guard alone: nothing here is connected to. */

describe('an address on the public internet', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])('%s is one', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '0.0.0.0',
      '0.1.2.3',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
    ],
    ...['169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '192.0.0.192', '192.0.2.1', '198.18.0.1'],
    ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1', 'fe80::1', 'fc00::1'],
    ...['fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::'],
    ...['2001::1', '2001:db8::1', '100::1', 'fec0::1', 'not an address', '', '127.1', '0x7f000001', '2130706433'],
  ])('%j is none', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a connection', () => {
  const networks = ['10.0.0.0/8', '192.168.1.7', 'fd00::/8'].map(parseNetwork)
  it.each([
    ['1.1.1.1', true, true],
    ['1.1.1.1', false, false],
    ['10.1.2.3', true, true],
    ['10.1.2.3', false, true],
    ['::ffff:10.1.2.3', false, true],
    ['192.168.1.7', false, true],
    ['192.168.1.8', true, false],
    ['fd12::1', false, true],
    ['169.254.169.254', true, false],
  ])('to %s, encrypted: %s, is allowed: %s', (address, isEncrypted, isAllowed) => {
    expect(refusalOf(address, isEncrypted, networks) === undefined).toBe(isAllowed)
  })

  it('is in no network if the text is no address', () => expect(isInNetworks('10.1', networks)).toBe(false))
})
