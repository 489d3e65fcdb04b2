import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { boundary, formOf } from '../testing/images.ts'
import { readMultipart } from './form-fields.ts'

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
