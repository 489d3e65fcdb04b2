import type * as Codes from '../../server/src/testing/two-factor.ts'
import { countWhere, load, type Measure, withApp } from './measure.ts'

const wrong = { password: 'not the password' }

export const guesses: Measure = {
  promise: 'of 300 guesses from one network 30 are checked, of 60 from as many networks 20, of 50 codes 5',
  guards: {
    'the budgets of sign-in': [
      {
        file: 'security/attempts/budgets.ts',
        find: 'isOpen && row.count >= budget.limit',
        replace: 'isOpen && row.count < 0',
      },
      {
        file: 'security/attempts/budgets.ts',
        find: 'count + reserved <= limit',
        replace: 'limit + count + reserved >= 0',
      },
    ],
    'the five attempts of a code': [
      {
        file: 'features/tokens/tokens.service.ts',
        find: `    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('tries', '<', maxTries)
    .where('expires_ms', '>', ctx.clock().getTime())`,
        replace: `    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', ctx.clock().getTime())`,
      },
    ],
  },
  take: (stand) =>
    withApp(
      stand,
      async (t) => {
        const { requestCode, wrongCodes } = await load<typeof Codes>(stand, 'testing/two-factor.ts')
        const login = async (username: string, ip: string) =>
          (await t.call('POST /login', { key: null, ip, body: { username, ...wrong } })).status
        const many = stand.isShort ? 100 : 300
        const sprayed: number[] = []
        for (let start = 0; start < many; start += 20) {
          const names = Array.from({ length: 20 }, (_, index) => `sprayed${start + index}@example.com`)
          sprayed.push(...(await Promise.all(names.map((name) => login(name, '203.0.113.20')))))
        }
        const { user } = await t.createUser()
        const rotated: number[] = []
        for (let network = 0; network < 60; network++) {
          rotated.push(await login(user.email, `2001:db8:7:${network.toString(16)}::1`))
        }
        // Every code except the right one, in parallel; the activity shows which were checked.
        const code = await requestCode(t, user.id)
        const verify = (token: string) => t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })
        await Promise.all(wrongCodes(code, 50).map(verify))
        const { body } = await t.call(`GET /users/${user.id}/activity?filter[event]=user.sign_in_failed&per_page=100`)
        const codes: number = body.data
          .filter(({ details }: { details: { field?: string } }) => details.field === 'token')
          .reduce((sum: number, { details }: { details: { count: number } }) => sum + details.count, 0)
        const [spray, rotation] = [sprayed, rotated].map((statuses) => countWhere(statuses, (status) => status === 422))
        return {
          figure: `looked at: ${spray} of ${many} sprayed, ${rotation} of 60 from 60 networks, ${codes} of 50 codes`,
          holds: spray === 30 && rotation === 20 && codes === 5,
        }
      },
      { GATEHOUSE_SMS_BUDGET: 'off' },
    ),
}
