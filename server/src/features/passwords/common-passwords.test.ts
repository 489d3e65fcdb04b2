import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

const list = dictionary['passwords-common']

describe('isCommonPassword', () => {
  test('catches every entry of 8 or more characters of the list the package exports, in any case', () => {
    const long = list.filter((entry) => entry.length >= 8)
    expect(list.length).toBeGreaterThanOrEqual(10_000)
    expect(long.length).toBeGreaterThan(0)
    expect(long.filter((entry) => !isCommonPassword(entry))).toEqual([])
    expect(long.filter((entry) => !isCommonPassword(entry.toUpperCase()))).toEqual([])
  })

  test.each(['password', 'PASSWORD', 'PassWord', '12345678', 'qwertyuiop'])('catches %s', (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })

  test('catches spellings in compatibility characters, such as full width', () => {
    expect(isCommonPassword('ｐａｓｓｗｏｒｄ')).toBe(true)
    expect(isCommonPassword('PAſſWORD')).toBe(true)
  })

  test('leaves entries of fewer than 8 characters to the minimum length', () => {
    expect(list).toContain('123456')
    expect(isCommonPassword('123456')).toBe(false)
  })

  test.each(['', 'correct horse battery staple', 'password ', 'xpassword', 'toString', 'constructor', '__proto__'])(
    'lets %j through, which is not on the list',
    (password) => {
      expect(isCommonPassword(password)).toBe(false)
    },
  )
})
