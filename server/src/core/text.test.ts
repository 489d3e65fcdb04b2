import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { threadMs } from '../testing/processor-time.ts'
import { accentlessForm, canonicalName, caseFold, isStorable, searchForm, sortKey } from './text.ts'

const anyText = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
/** Characters without a one-to-one case mapping, and some that look like others. */
const oddText = fc
  .array(fc.constantFrom(...'aAßẞſıİiIςσΣﬁﬀŉǰΐᾳᾼΩΩKÅåÅµμꭰᎠᲀЯяＡａ①²ªﷺ\u0301\u0307\u200b\u00ad\u{10400}\u{10428}😀 '))
  .map((characters) => characters.join(''))
const text = fc.oneof(anyText, oddText)

describe('caseFold', () => {
  it.each([
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['Σίσυφος', 'σίσυφοσ'],
    ['ﬁn', 'fin'],
    ['ſ', 's'],
    ['\u212a', 'k'], // the Kelvin sign
    ['µ', 'μ'],
    ['İ', 'i\u0307'],
    ['ı', 'ı'],
    ['Ꭰ', 'Ꭰ'],
    ['ꭰ', 'Ꭰ'],
    ['ᏸ', 'Ᏸ'],
    ['\u{10400}', '\u{10428}'],
    ['Я', 'я'],
    ['é', 'é'],
    ['😀', '😀'],
    ['', ''],
  ])('folds %j to %j', (given, folded) => expect(caseFold(given)).toBe(folded))

  it('agrees with Unicode’s case-insensitive regular expressions if one character folds to one', () => {
    const differing: string[] = []
    for (let point = 0; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const character = String.fromCodePoint(point)
      const folded = caseFold(character)
      if ([...folded].length > 1) continue
      if (!new RegExp(`^\\u{${folded.codePointAt(0)?.toString(16)}}$`, 'iu').test(character)) differing.push(character)
    }
    expect(differing).toEqual([])
  })

  it('of a substring is a substring of the folded text, so that search can compare folded texts', () => {
    fc.assert(fc.property(text, text, (a, b) => caseFold(a + b) === caseFold(a) + caseFold(b)))
  })

  it('is idempotent, and the same for every case of a text', () => {
    fc.assert(fc.property(text, (given) => caseFold(caseFold(given)) === caseFold(given)))
    fc.assert(
      fc.property(
        text.filter((given) => !/[ıİ]/.test(given)),
        (given) => caseFold(given.toUpperCase()) === caseFold(given),
      ),
    )
  })
})

describe('sortKey', () => {
  it('puts null before every text', () => {
    expect(sortKey(null)).toBe('')
    fc.assert(
      fc.property(
        text.filter((given) => given !== ''),
        (given) => sortKey(given) > sortKey(null),
      ),
    )
  })
})

describe('searchForm', () => {
  it('ignores case and compatibility forms, but not accents', () => {
    for (const form of ['ＡＤＡ', 'ａｄａ', 'Ada', '𝐀𝐝𝐚']) expect(searchForm(form)).toBe('ada')
    expect(searchForm('E\u0301mile')).toBe(searchForm('émile'))
    expect(searchForm('émile')).not.toBe(searchForm('emile'))
    expect(searchForm('①')).toBe('1')
  })

  it('is idempotent', () => {
    fc.assert(fc.property(text, (given) => searchForm(searchForm(given)) === searchForm(given)))
  })
})

it('a long row of combining marks is compared by its beginning, because to put it in order takes quadratic time', async () => {
  const hostile = `a${'\u0300\u0316'.repeat(10_000)}b`
  searchForm(hostile)
  expect(await threadMs(() => searchForm(hostile))).toBeLessThan(40)
  expect(searchForm(`a${'\u0316'.repeat(30)}b`)).toHaveLength(32)
})

describe('canonicalName', () => {
  const same = [
    ...['Mike', ' mike ', 'MIKE', 'mıke', 'mİke', 'ｍｉｋｅ', 'mi\u200bke', 'mike\u00ad', 'm\u2060ike', 'MI\u212aE'],
    ...['mike\u3000', '\ufeffmike', 'mike\ufe0f'],
  ]
  it.each(same)('is the same for every spelling: %j', (name) => expect(canonicalName(name)).toBe('mike'))

  it('differs for different people', () => {
    const different = ['mike', 'míke', 'mike1', 'mike.', 'mi.ke', 'mi ke', 'mike+1', 'мike', 'mіke', 'mikе']
    expect(new Set(different.map(canonicalName)).size).toBe(different.length)
  })

  it('combines an accent with the letter before it, even if that has become an i', () => {
    for (const form of ['mí', 'mi\u0301', 'MÍ', 'mı\u0301', 'mİ\u0301', 'mi\u0307\u0307\u0301'])
      expect(canonicalName(form)).toBe('m\u00ed')
  })

  it('is idempotent', () => {
    fc.assert(fc.property(text, (given) => canonicalName(canonicalName(given)) === canonicalName(given)))
  })
})

describe('isStorable', () => {
  it('is true for all but NUL and lone surrogates', () => {
    for (const bad of ['\0', 'a\0b', '\ud83d', '\ude00', 'a\ud83d', '\ude00\ud83d']) expect(isStorable(bad)).toBe(false)
    for (const good of ['', 'a', '\u0001', '\uffff', '😀', '\ufffd', '\u{10ffff}']) expect(isStorable(good)).toBe(true)
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (given) => isStorable(given) === (given.isWellFormed() && !given.includes('\0')),
      ),
    )
  })
})

describe('accentlessForm', () => {
  it.each([
    ['LeBrón', 'lebron'],
    ['Zoë', 'zoe'],
    ['Jose\u0301', 'jose'],
    ['Łódź', 'lodz'],
    ['Søren Đorđe', 'soren dorde'],
    ['Straße', 'strasse'],
    ['Ægir Œuvre ǽ', 'aegir oeuvre ae'],
    ['ırmak İstanbul', 'irmak istanbul'],
    ['Νίκος', 'νικοσ'],
    ['Nguyễn', 'nguyen'],
    ['Йод', 'иод'],
    ['がか', 'がか'],
    ['हिन्दी', 'हिन्दी'],
    ['한국', '한국'],
    ['ＡＤＡ', 'ada'],
  ])('makes %j %j', (given, form) => expect(accentlessForm(given)).toBe(form.normalize('NFKC')))

  it('is idempotent, and the same with composed and separate accents', () => {
    fc.assert(fc.property(text, (given) => accentlessForm(accentlessForm(given)) === accentlessForm(given)))
    fc.assert(fc.property(text, (given) => accentlessForm(given.normalize('NFD')) === accentlessForm(given)))
  })
})
