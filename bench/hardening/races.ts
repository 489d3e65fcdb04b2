import type * as Accounts from '../../server/src/testing/accounts.ts'
import { atOnce, countWhere, load, type Measure, type Stand, withApp } from './measure.ts'

const winners = (answers: readonly { status: number }[]) => countWhere(answers, ({ status }) => status < 300)

/** There are only two administrators, and one of them demotes both at once: one has to remain. */
const demoteBoth = (stand: Stand): Promise<number> =>
  withApp(stand, async (t) => {
    const { user } = await t.createUser({ role_id: 1 })
    const demote = (id: number) => t.call(`PATCH /users/${id}`, { body: { role_id: 2 } })
    return winners(await Promise.all([demote(user.id), demote(1)]))
  })

export const races: Measure = {
  promise: 'of many in parallel, one gets the name, the deletion, the reset; the last administrator stays',
  guards: {
    'the token is used up by the reset': [
      {
        file: 'features/password-reset/password-reset.service.ts',
        find: `    if (taken === undefined) throw resetErrors.password_reset_token_invalid()
    await applyChanges`,
        replace: '    await applyChanges',
      },
    ],
    'the last administrator is counted': [
      {
        file: 'features/accounts/users.queries.ts',
        find: 'if (numUpdatedRows === 0n) throw userErrors.user_last_admin()',
        replace: '',
      },
    ],
    'a deleted user must exist': [
      {
        file: 'features/users/users.service.ts',
        find: `    const user = await getLockedUser(tx.db, id)
    if (user.id === tx.actor.userId) throw userErrors.user_is_yourself()`,
        replace: `    const user = await findUser(tx.db, id)
    if (user === undefined) return null`,
      },
    ],
  },
  take: async (stand) => {
    let demoted = 0
    const races = stand.isShort ? 2 : 10
    for (let race = 0; race < races; race++) demoted += await demoteBoth(stand)
    return withApp(stand, async (t) => {
      const { createAccount, newcomer, requestResetToken, reset } = await load<typeof Accounts>(
        stand,
        'testing/accounts.ts',
      )
      const rounds = stand.isShort ? 3 : 20
      const wins = { names: 0, deletions: 0, resets: 0 }
      for (let round = 0; round < rounds; round++) {
        const own = newcomer()
        wins.names += winners(await atOnce(30, () => t.call('POST /users', { body: { ...own, role_id: 2 } })))
        const { user } = await t.createUser()
        wins.deletions += winners(await atOnce(20, () => t.call(`DELETE /users/${user.id}`)))
        const owner = await createAccount(t)
        const token = await requestResetToken(t, owner.user.email)
        wins.resets += winners(
          await atOnce(20, (index) => reset(t, token, owner.user.email, `an entirely new password ${index}`)),
        )
      }
      const { names, deletions, resets } = wins
      return {
        figure: `${rounds} rounds: ${names} of ${30 * rounds} names, ${deletions} of ${20 * rounds} deletions and ${resets} of ${20 * rounds} resets won; ${demoted} of ${2 * races} last administrators demoted`,
        holds: names === rounds && deletions === rounds && resets === rounds && demoted === races,
      }
    })
  },
}
