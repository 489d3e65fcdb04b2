import { expect, inject, it } from 'vitest'
import { rowOf } from '../../testing/accounts.ts'
import { createTestApp } from '../../testing/app.ts'
import { whileLocked } from '../../testing/lock-waits.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { createOwner, password, signIn } from '../sessions/sessions-test-steps.ts'

// SQLite has one writer at a time.
it.runIf(inject('postgresUrl') !== null).each(['proved', 'changed'])(
  'securing an account deletes no other whose address is %s at the same moment',
  async (what) => {
    const t = await createTestApp(inject('postgresUrl'))
    const user = await createOwner(t)
    const [thief, moved] = [`thief.${user.email}`, `moved.${user.email}`]
    const change = { current_password: password, email: thief }
    await t.call('PATCH /me/details/auth', { key: await signIn(t, user), body: change })
    const proof = tokenIn(await messageTo(t, thief, 'confirm-email'))
    await t.call('POST /email/verify', { key: null, body: { token: proof, password } })
    const token = tokenIn(await messageTo(t, user.email, 'email-changed'))
    const { user: holder } = await t.createUser({ email: user.email, status: 'Unconfirmed' })
    const fields = what === 'proved' ? `status = 'Active'` : `email = '${moved}', email_canonical = '${moved}'`
    const statement = `update users set ${fields}, unconfirmed_since = null where id = ${holder.id}`
    const { securing } = await whileLocked(t.database.url, statement, async (untilWaiting) => {
      const securing = t.call('POST /secure-account', { key: null, body: { token } })
      await untilWaiting(1)
      return { securing }
    })
    expect((await securing).status).toBe(200)
    const emails = [(await rowOf(t, holder.id)).email, (await rowOf(t, user.id)).email]
    expect(emails).toEqual(what === 'proved' ? [user.email, thief] : [moved, user.email])
  },
)
