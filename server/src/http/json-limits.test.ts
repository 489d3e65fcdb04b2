import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonExcess } from './json-limits.ts'

const check = (text: string) => findJsonExcess(Buffer.from(text))

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const depthOf = (value: unknown): number =>
  isContainer(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
const keysOf = (value: unknown): number =>
  isContainer(value)
    ? (Array.isArray(value) ? 0 : Object.keys(value).length) +
      Object.values(value).reduce((sum: number, part) => sum + keysOf(part), 0)
    : 0

describe('the limits of JSON', () => {
  it('find the same depth and keys as a parser, whatever its strings contain', () => {
    const json = fc.jsonValue({ depthSize: 'large', stringUnit: 'binary' })
    const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ':', ',', 'a', '\u0000') })
    const either = fc.oneof(json, fc.dictionary(tricky, fc.array(tricky), { noNullPrototype: true }))
    const spaces = fc.constantFrom(0, 1, 3)
    fc.assert(
      fc.property(either, spaces, fc.integer({ min: 0, max: 9 }), (value, space, wrapped) => {
        let nested: unknown = value
        for (let level = 0; level < wrapped; level++) nested = level % 2 === 0 ? [nested] : { '"[{': nested }
        const expected = depthOf(nested) > 8 ? 'depth' : keysOf(nested) > 1_000 ? 'keys' : undefined
        expect(check(JSON.stringify(nested, null, space))).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are 8 containers, 1,000 keys and 12,000 elements', () => {
    const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect([check(lists(8)), check(lists(9))]).toEqual([undefined, 'depth'])
    const keys = (count: number) => `{${Array(count).fill('"a":1').join(',')}}`
    expect([check(keys(1_000)), check(keys(1_001))]).toEqual([undefined, 'keys'])
    expect([check(`[${keys(500)},${keys(500)}]`), check(`[${keys(500)},${keys(501)}]`)]).toEqual([undefined, 'keys'])
    const wide = (count: number) => `[${Array(count).fill('1').join(',')}]`
    expect([check(wide(12_000)), check(wide(14_000))]).toEqual([undefined, 'elements'])
  })

  it('handle text that ends early', () => {
    for (const text of ['', '"', '"\\', '{"a', '\\"[', ']]]]', '{:', '"[[[[[[[[[', ']'.repeat(20) + '['.repeat(5)])
      expect(check(text)).toBeUndefined()
  })
})
