import { dictionary as commonLists } from '@zxcvbn-ts/language-common'
import { dictionary as englishLists } from '@zxcvbn-ts/language-en'
import { describe, expect, inject, it } from 'vitest'
import { rankWords } from './word-lists.ts'

// No database is involved, so one run is enough.
describe.runIf(inject('postgresUrl') === null)('the ranks of words', () => {
  it.each(Object.entries({ ...commonLists, ...englishLists }))('are those of %s, and of no other word', (_, words) => {
    const ranks = rankWords(words)
    expect(words.filter((word, index) => ranks[word] !== index + 1)).toEqual([])
    const known = new Set(words)
    const others = words.flatMap((word) => [`${word}x`, word.slice(1), word.slice(0, -1), `${word}${word}`])
    expect(others.filter((word) => !known.has(word) && ranks[word] !== undefined)).toEqual([])
  })

  it.each(['', 'constructor', '__proto__', 'toString', 'ab', 'abc', 'bc', '漢字x'])(
    '%j is no word of another list',
    (word) => {
      expect(rankWords(['a', 'bcd', '漢字'])[word]).toBeUndefined()
    },
  )

  it('a word that comes twice has its last rank, as in zxcvbn', () => {
    const ranks = rankWords(['twice', 'once', 'twice'])
    expect([ranks.twice, ranks.once]).toEqual([3, 2])
  })

  it('of no words there are none', () => {
    expect(rankWords([])['']).toBeUndefined()
  })
})
