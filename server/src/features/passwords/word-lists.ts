import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * What zxcvbn's package for a language has by this name, such as `passwords-common`, from its JSON file: importing the
 * package would load all of its lists and keep them in memory.
 */
export function readZxcvbnData(name: string) {
  const [list, language] = name.split('-')
  const path = createRequire(import.meta.url).resolve(`@zxcvbn-ts/language-${language}/src/${list}.json`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** FNV-1a, of UTF-16 units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}

/**
 * The rank of each word, from 1, as a property. A plain object would take 150 bytes a word; this takes 20: all words in one
 * text, where each begins, and a hash table of the ranks.
 */
export function rankWords(words: readonly string[]): Readonly<Record<string, number>> {
  const text = words.join('')
  const starts = new Uint32Array(words.length + 1)
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(words.length * 1.5 + 1)))
  const last = table.length - 1

  /** Where the word is in the table, or would be. */
  function slotOf(word: string): number {
    for (let slot = hashOf(word) & last; ; slot = (slot + 1) & last) {
      const rank = table[slot] as number
      if (rank === 0) return slot
      const start = starts[rank - 1] as number
      if ((starts[rank] as number) - start === word.length && text.startsWith(word, start)) return slot
    }
  }

  words.forEach((word, index) => {
    starts[index + 1] = (starts[index] as number) + word.length
    table[slotOf(word)] = index + 1
  })
  return new Proxy({}, { get: (_, word) => (typeof word === 'string' && table[slotOf(word)]) || undefined })
}
