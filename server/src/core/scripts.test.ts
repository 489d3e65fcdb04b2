import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { isHighlyRestrictive } from './scripts.ts'

describe('a highly restrictive text', () => {
  it.each([
    ...['ada', 'admin_1', 'josé', 'jose\u0301', 'Łódź', 'a·b', 'ada😀', '12345', '___', ''],
    ...['админ', 'Ελληνικά1', 'ქართული', 'کاربر', 'עדה', 'हिन्दी', 'ไทย', 'ᏣᎳᎩ', 'Адам 😀'],
    ...['山田太郎', 'ひらがな', 'カタカナー', 'Taro山田ひカ', '한국', 'Kim金한', '漢ㄅㄆabc'],
  ])('is in one script, or in a usual mixture: %s', (text) => expect(isHighlyRestrictive(text)).toBe(true))

  it.each([
    ...['аdmin', 'аdmіn', 'αdmin', 'paypaⅼа', 'Ρaypal', 'адmin', 'ოk', 'нello', 'ad한м', 'עdа', 'adaไ', 'аα'],
    ...['ひ한', '한ㄅ', 'ㄅひ', 'ひаб', '漢字я', 'हिन्дी', 'ᏣᎳa', '\ue000', 'a\ue000', '\u0378'],
  ])('has no letters of another script: %j', (text) => expect(isHighlyRestrictive(text)).toBe(false))

  it('is recognised quickly, even in long text', async () => {
    for (const letter of ['a', 'а', 'क', '\u{10400}', '\ue000', '1']) isHighlyRestrictive(letter) // create the patterns first
    const look = () => {
      for (const unit of ['а', 'aа', '1', 'ﷺ'.normalize('NFKC'), '\u0301', '😀а'])
        isHighlyRestrictive(unit.repeat(5_000))
    }
    expect(await processorMs(look)).toBeLessThan(100)
  })
})
