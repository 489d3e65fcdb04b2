/** Limits on the JSON of a request. Ordinary requests are far below all three. */
export const jsonLimits = {
  /** Nesting depth, including the outermost container. */
  depth: 8,
  /** Number of keys of all objects together. */
  keys: 1_000,
  /**
   * Number of list elements, because parsing takes time for each. Keys and elements are counted together, by their commas: the limit
   * is the sum of both.
   */
  elements: 12_000,
}

export type JsonExcess = keyof typeof jsonLimits

const quote = 0x22
const backslash = 0x5c

/**
 * Returns the limit that a JSON text exceeds, found in one pass over its bytes and without recursion, so that it is never
 * parsed. Invalid JSON is not detected here: parsing it fails soon enough.
 */
export function findJsonExcess(bytes: Uint8Array): JsonExcess | undefined {
  const { length } = bytes
  let depth = 0
  let keys = 0
  let commas = 0
  for (let at = 0; at < length; at++) {
    switch (bytes[at]) {
      case quote:
        for (at++; at < length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
        break
      case 0x3a: // :
        if (++keys > jsonLimits.keys) return 'keys'
        break
      case 0x2c: // ,
        if (++commas > jsonLimits.keys + jsonLimits.elements) return 'elements'
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > jsonLimits.depth) return 'depth'
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
    }
  }
  return undefined
}
