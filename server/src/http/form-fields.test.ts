import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { boundary, formOf } from '../testing/images.ts'
import { threadMs } from '../testing/processor-time.ts'
import { readMultipart, readUrlencoded } from './form-fields.ts'

it('lets other work run while it reads a large form', async () => {
  const names = Array.from({ length: 900 }, (_, index) => `field_${index}`)
  let isRead = false
  const reading = readMultipart(
    `multipart/form-data; boundary=${boundary}`,
    formOf(names.map((name) => ({ name, bytes: name }))),
  ).then((fields) => {
    isRead = true
    return fields
  })
  let turns = 0
  for (; !isRead; turns++) await setImmediate()
  expect(await reading).toEqual(Object.fromEntries(names.map((name) => [name, name])))
  expect(turns).toBeGreaterThan(20)
})

it('reads a thousand names in brackets in the time of a thousand others', async () => {
  const bodyOf = (name: (index: number) => string) =>
    Buffer.from(Array.from({ length: 1_000 }, (_, index) => `${name(index)}=1`).join('&'))
  const others = bodyOf((index) => `field_${index}`)
  const inBrackets = bodyOf((index) => `filter[f${index}]`)
  for (const body of [others, inBrackets]) readUrlencoded(body)
  expect(Object.keys(readUrlencoded(inBrackets).filter as object)).toHaveLength(1_000)
  expect(await threadMs(() => readUrlencoded(inBrackets))).toBeLessThan(20)
})
