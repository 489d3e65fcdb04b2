import { describe, expect, it } from 'vitest'
import { canonicalAddress, networkOf } from './addresses.ts'

describe('the canonical form of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:51234', '192.0.2.7'],
    ['2001:0DB8::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:198.51.100.3', '198.51.100.3'],
    ['::ffff:c633:6403', '198.51.100.3'],
    ['[::FFFF:C633:6403]:80', '198.51.100.3'],
  ])('of %s is %s', (text, address) => {
    expect(canonicalAddress(text)).toBe(address)
  })

  it.each([
    '',
    'unknown',
    'unix',
    '_hidden',
    'garbage:1',
    '192.0.2.7:',
    '192.0.2.7:123456',
    '192.0.2.7.1',
    '010.0.0.1',
    '[192.0.2.7',
    '2001:db8::1]:443',
    '2001:db8::1::2',
    'users.example.com:443',
  ])('does not exist for "%s"', (text) => {
    expect(canonicalAddress(text)).toBeUndefined()
  })
})

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:0db8:1:2:3::4', '2001:db8:1:2'],
    ['2001:db8::4', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:198.51.100.3', '198.51.100.3'],
    ['::ffff:c633:6403', '198.51.100.3'],
    ['unix', 'unix'],
    ['203.0.113.9:4711', '203.0.113.9:4711'],
    ['garbage:0', 'garbage:0'],
    ['2001:db8:1::/48', '2001:db8:1::/48'],
  ])('%s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})
