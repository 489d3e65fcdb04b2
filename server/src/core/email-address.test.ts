import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiDomain, canonicalEmail, deliverableAddress, isSameAddress } from './email-address.ts'
import { isEmail } from './formats.ts'

const anyText = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
const oddText = fc
  .array(fc.constantFrom(...'aAßẞſıİiσςΣﬁKÅéxn--.@1\u0301\u0307\u0323\u200b\u00ad１Ａ。 '))
  .map((characters) => characters.join(''))
const text = fc.oneof(anyText, oddText)

describe('the form of an email address', () => {
  it.each([
    ['case', 'mike@example.org', 'Mike@Example.ORG', ' mike@example.org '],
    ['composed and decomposed accents', 'josé@example.org', 'jose\u0301@example.org', 'JOSÉ@example.org'],
    [
      'a domain in Unicode and in punycode',
      'x@xn--mnchen-3ya.de',
      'x@münchen.de',
      'X@MU\u0308NCHEN.de',
      'x@XN--MNCHEN-3YA.DE',
    ],
    ['full-width letters in the domain', 'x@example.org', 'x@ｅｘａｍｐｌｅ.org'],
    ['the dots of other scripts in the domain', 'x@mail.example.org', 'x@mail。example．org', 'x@mail｡example.org'],
    ['a variation selector in the domain', 'x@example.org', 'x@exam\ufe0fple.org'],
    ['a sharp s and its capital', 'x@xn--strae-oqa.de', 'x@straße.de', 'x@STRAẞE.de'],
    ['a host of digits, which is no IPv4 address', 'x@1.2.3', 'X@1.2.3'],
    ['an address of digits', 'x@192.0.2.1', 'X@192.0.2.1'],
  ])('is one for %s', (_, form, ...spellings) => {
    for (const spelling of [form, ...spellings]) expect(canonicalEmail(spelling)).toBe(form)
  })

  it.each([
    ['ceo@gıthub.test', 'ceo@github.test'],
    ['ceo@straße.test', 'ceo@strasse.test'],
    ['x@λόγος.gr', 'x@λόγοσ.gr'],
    ['x@λόγος.gr', 'x@ΛΌΓΟΣ.gr'],
    ['x@ﬁ\u0301.test', 'x@fi.test'],
    ['mıke@example.org', 'mike@example.org'],
    ['mİke@example.org', 'mike@example.org'],
    ['kiß@example.org', 'kiss@example.org'],
    ['ｍｉｋｅ@example.org', 'mike@example.org'],
    ['νικος@example.org', 'νικοσ@example.org'],
    ['x@1.2.3', 'x@1.2.0.3'],
    ['x@0x7f.1', 'x@127.0.0.1'],
    ['mike+tag@example.org', 'mike@example.org'],
    ['m.ike@example.org', 'mike@example.org'],
  ])('is different for %s and %s', (one, other) => expect(canonicalEmail(one)).not.toBe(canonicalEmail(other)))

  it('does not depend on neighbouring letters: capital sigma is σ at the end, too', () => {
    expect(canonicalEmail('ΝΙΚΟΣ@example.org')).toBe('νικοσ@example.org')
  })

  it('of an invalid address is never that of a valid one', () => {
    for (const odd of [
      'x@github.test.x/y',
      'x@github.test/',
      'x@github.test#',
      'x@git\thub.test',
      'x@github.test:80',
      'x@a@',
    ]) {
      const form = canonicalEmail(odd)
      expect(isEmail(form), odd).toBe(false)
    }
  })

  it('is idempotent, and a valid address if the text was one', () => {
    fc.assert(fc.property(text, (given) => canonicalEmail(canonicalEmail(given)) === canonicalEmail(given)))
    const address = fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}.org`)
    fc.assert(
      fc.property(address.filter(isEmail), (given) => {
        const form = canonicalEmail(given)
        return /^[ -~]+$/.test(form.slice(form.lastIndexOf('@'))) && canonicalEmail(deliverableAddress(given)) === form
      }),
    )
  })
})

describe('a domain', () => {
  it.each([
    '⑴.de',
    '⒈de',
    'a_b.de',
    'a b.de',
    '',
    '.',
    'a..b',
    '-a.de',
    'a-.de',
    'م1.1م',
    '\u0301a.de',
    `${'ü'.repeat(60)}.de`,
    '%41.de',
  ])('is invalid if the DNS cannot hold it: %j', (domain) => {
    expect(asciiDomain(domain)).toBeUndefined()
    expect(isEmail(`x@${domain}`)).toBe(false)
  })
})

describe('an email address', () => {
  it.each(['mi\u200bke', 'mike\u00ad', '\u2060mike', '\ufeffmike', 'mi\u202eke', 'mike\ufe0f', 'mi\u034fke'])(
    'has no invisible characters: %j',
    (local) => expect(isEmail(`${local}@example.org`)).toBe(false),
  )

  it('is sent with its domain in ASCII and the local part unchanged', () => {
    expect(deliverableAddress('Jörg@MÜNCHEN.de')).toBe('Jörg@xn--mnchen-3ya.de')
    expect(deliverableAddress('Ada@Example.com')).toBe('Ada@example.com')
  })
})

describe('the same address', () => {
  it.each([
    ['ada@example.com', 'ADA@Example.COM', true],
    ['ada@münchen.de', 'ADA@münchen.DE', true],
    ['ada@münchen.de', 'ada@MÜNCHEN.de', false],
    ['ada@münchen.de', 'ada@xn--mnchen-3ya.de', false],
    ['jose\u0301@example.com', 'josé@example.com', false],
    ['ceo@gıthub.test', 'ceo@github.test', false],
    ['ceo@gıthub.test', 'ceo@GITHUB.test', false],
    ['\u212aai@example.com', 'kai@example.com', false],
  ])('%s and %s differ only in the case of ASCII letters: %s', (one, other, same) => {
    expect([isSameAddress(one, other), isSameAddress(other, one)]).toEqual([same, same])
  })
})
