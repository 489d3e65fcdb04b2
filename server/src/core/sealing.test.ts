import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSealer } from './sealing.ts'

const key = randomBytes(32)
const sealer = createSealer(key)

// asvs: 11.2.3, 11.3.1, 11.3.2
it('opens sealed text only with the same key and context', () => {
  const sealed = sealer.seal('a link ✓', 'message 1')
  expect(createSealer(key).open(sealed, 'message 1')).toBe('a link ✓')
  expect(() => sealer.open(sealed, 'message 2')).toThrow()
  expect(() => createSealer(randomBytes(32)).open(sealed, 'message 1')).toThrow()
})

// asvs: 11.3.3
it('detects every changed bit', () => {
  const bytes = Buffer.from(sealer.seal('x', 'c').slice(3), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(() => sealer.open(`v1.${changed.toString('base64url')}`, 'c')).toThrow()
  }
})

it('never returns the same twice, and reveals nothing of the text', () => {
  const sealed = Array.from({ length: 100 }, () => sealer.seal('secret-token', 'c'))
  expect(new Set(sealed).size).toBe(100)
  expect(sealed.join()).not.toContain('secret')
})

it('returns unsealed text unchanged', () => {
  expect(sealer.open('https://example.com/#token=x', 'c')).toBe('https://example.com/#token=x')
})
