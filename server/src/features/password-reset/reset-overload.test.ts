import { availableParallelism } from 'node:os'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createAccount, requestResetToken, reset } from '../../testing/accounts.ts'
import { createTestApp } from '../../testing/app.ts'
import { inPlace } from '../passwords/passwords.service.ts'

it('a new password waits to be hashed among those of strangers, and is 503 where they fill the queue', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user } = await createAccount(t)
  const token = await requestResetToken(t, user.email)
  const gate = Promise.withResolvers<void>()
  // From so many networks that each has one place, so nobody has more than a newcomer.
  const flood = Array.from({ length: 200 + availableParallelism() }, (_, index) =>
    inPlace({ path: [`10.${index}`, `10.${index}.1`, 'nobody'], isFamiliar: false }, () => gate.promise).catch(
      () => {},
    ),
  )
  const end = async () => {
    gate.resolve()
    await Promise.all(flood)
  }
  onTestFinished(end)
  const { status, body } = await reset(t, token, user.email)
  expect([status, body.code]).toEqual([503, 'overloaded'])
  await end()
  expect((await reset(t, token, user.email)).status).toBe(200)
})
