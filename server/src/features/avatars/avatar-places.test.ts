import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../../testing/avatars.ts'
import { formHeaders, formOf, pictureOf } from '../../testing/images.ts'
import { holdBody } from '../../testing/raw-http.ts'

let t: AvatarApp
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

it('32 slow uploads of one user block no other user, and eight at once still succeed', async () => {
  const slow = await t.createUser()
  const picture = await pictureOf(1)
  const body = formOf([{ name: 'file', bytes: picture, filename: 'a.png' }])
  const headers = { authorization: `Bearer ${slow.key}`, ...formHeaders }
  const held = await Promise.all(
    Array.from({ length: 32 }, () => holdBody(t.app, 'POST /api/me/avatar', headers, body)),
  )
  const other = await t.createUser()
  const answer = await t.call('POST /me/avatar', { key: other.key, headers: formHeaders, body, ip: '192.0.2.9' })
  expect(answer.status, answer.text).toBe(200)
  const statuses = (await Promise.all(held.map(({ finish }) => finish()))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(8)
  expect(statuses.filter((status) => status === 503)).toHaveLength(24)
  const again = await Promise.all(Array.from({ length: 8 }, () => t.upload('/me/avatar', picture, slow.key)))
  expect(again.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
})

it('the pictures of one user are not all decoded before that of another', async () => {
  const [one, other] = [await t.createUser(), await t.createUser()]
  const picture = await pictureOf(1, 'png', 2_000, 2_000)
  const order: string[] = []
  const upload = async ({ key, user }: typeof one) => {
    expect((await t.upload('/me/avatar', picture, key)).status).toBe(200)
    order.push(user.email)
  }
  await Promise.all([...Array.from({ length: 8 }, () => upload(one)), upload(other)])
  expect(order.indexOf(other.user.email)).toBeLessThan(4)
})
