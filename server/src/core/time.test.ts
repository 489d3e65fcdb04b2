import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromTimestamp, isDate, isTimestamp, toDate, toTimestamp } from './time.ts'

const moments = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})

describe('timestamps and dates', () => {
  // asvs: 16.2.2
  it('are UTC, to the second', () => {
    const date = new Date('2026-03-01T00:30:59.999+02:00')
    expect([toTimestamp(date), toDate(date)]).toEqual(['2026-02-28 22:30:59', '2026-02-28'])
  })

  it('are read as they were written, and sort as text in the order of time', () => {
    fc.assert(fc.property(moments, (date) => isTimestamp(toTimestamp(date)) && isDate(toDate(date))))
    const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
    fc.assert(fc.property(moments, (date) => fromTimestamp(toTimestamp(date)) === seconds(date) * 1000))
    fc.assert(fc.property(moments, moments, (a, b) => toTimestamp(a) < toTimestamp(b) === seconds(a) < seconds(b)))
  })
})

const pad = (number: number, length: number) => String(number).padStart(length, '0')

/** By the rules of the calendar, without `Date`. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

describe('isDate', () => {
  it('accepts the days that the calendar has, and no other', () => {
    const number = (max: number) => fc.integer({ min: 0, max })
    const february = fc.tuple(number(9_999), fc.constant(2), fc.integer({ min: 28, max: 30 }))
    const days = fc.oneof(fc.tuple(number(9_999), number(13), number(32)), february)
    fc.assert(
      fc.property(days, ([year, month, day]) => {
        const exists = year > 0 && day > 0 && day <= daysIn(year, month)
        return isDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`) === exists
      }),
    )
  })

  it.each(['2024-02-29', '2000-02-29', '1999-12-31', '0001-01-01', '9999-12-31'])(
    'accepts an existing date: %s',
    (text) => {
      expect(isDate(text)).toBe(true)
    },
  )

  it.each([
    ...[
      '2026-02-29',
      '1900-02-29',
      '0000-01-01',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
      '2026-1-01',
    ],
    ...['26-01-01', '02026-01-01', '+2026-01-01', '-2026-01-01', '2026/01/01', '20260101', '01-01-2026', '2026-01-01 '],
    ...[
      '2026-01-01\n',
      '2026-01-01T00:00:00Z',
      '2026-W01-1',
      '２０２６-01-01',
      '',
      'today',
      'NaN-NaN-NaN',
      '2026-01',
      '0000-00-00',
    ],
  ])('refuses %j', (text) => expect(isDate(text)).toBe(false))
})

describe('isTimestamp', () => {
  it.each(['2026-01-15 12:00:00', '2024-02-29 23:59:59', '0001-01-01 00:00:00'])(
    'accepts an existing moment: %s',
    (text) => {
      expect(isTimestamp(text)).toBe(true)
    },
  )

  it.each([
    ...['2026-02-29 00:00:00', '2026-01-15 24:00:00', '2026-01-15 12:60:00', '2026-01-15 12:00:60', '2026-01-15 12:00'],
    ...['2026-01-15T12:00:00', '2026-01-15T12:00:00Z', '2026-01-15 12:00:00Z', '2026-01-15 12:00:00.000', '2026-01-15'],
    ...[
      '2026-01-15  12:00:00',
      ' 2026-01-15 12:00:00',
      '2026-01-15 12:00:00\n',
      '2026-1-15 12:00:00',
      '',
      'now',
      '1768478400',
    ],
  ])('refuses %j', (text) => expect(isTimestamp(text)).toBe(false))
})
