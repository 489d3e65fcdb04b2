import { pino } from 'pino'
import type * as Apps from '../../server/src/app.ts'
import type * as Accounts from '../../server/src/testing/accounts.ts'
import type * as Messages from '../../server/src/testing/messages.ts'
import type * as Codes from '../../server/src/testing/two-factor.ts'
import { load, type Measure, withApp } from './measure.ts'

export const secrets: Measure = {
  promise: 'no password, key, token or link that was ever issued is in the database, in a log or in an answer',
  guards: {
    'queued messages are encrypted': [
      {
        file: 'outbox/outbox.ts',
        find: 'message.secret ? sealer.seal(text, messageId) : text',
        replace: 'message.secret && messageId === null ? sealer.seal(text, messageId) : text',
      },
      { file: 'outbox/secrets.ts', find: 'sealer.open(text, row.message_id)', replace: 'text' },
    ],
    'tokens are stored as hashes': [
      {
        file: 'core/secrets.ts',
        find: "hash('sha256', secret, 'base64url')",
        replace: "(hash('sha256', secret, 'base64url'), secret)",
      },
    ],
    'the log has patterns instead of paths': [
      { file: 'http/request-log.ts', find: 'routeOptions?.url ?? noRoute', replace: 'request.url' },
    ],
  },
  take: (stand) =>
    withApp(stand, async (t) => {
      const { createApp } = await load<typeof Apps>(stand, 'app.ts')
      const { createAccount, dumpDatabase, newPassword, oldPassword, reset } = await load<typeof Accounts>(
        stand,
        'testing/accounts.ts',
      )
      const { codeIn, messageTo, tokenIn } = await load<typeof Messages>(stand, 'testing/messages.ts')
      const { newPhone } = await load<typeof Codes>(stand, 'testing/two-factor.ts')
      const log: string[] = []
      const logger = pino({ level: 'trace', base: null }, { write: (line: string) => log.push(line) })
      const app = await createApp(t.ctx, logger)
      const answers: string[] = []
      const send = async (
        method: 'GET' | 'POST' | 'PUT' | 'PATCH',
        url: string,
        key: string | null,
        payload?: object,
      ) => {
        const headers = key === null ? {} : { authorization: `Bearer ${key}` }
        const answer = await app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
        return answer
      }
      const planted = new Map<string, string>([
        ['a password', oldPassword],
        ['a new password', newPassword],
      ])
      // An administrator: whoever has all permissions of a recipient may read what was captured for them.
      const { user, key } = await createAccount(t, { role_id: 1 })
      planted.set('a key', key)
      const { token: session } = (
        await send('POST', '/login', null, { username: user.email, password: oldPassword })
      ).json()
      planted.set('a session', session)
      const minted = (await send('POST', '/api-keys', t.adminKey, { name: 'planted' })).json().data.key
      planted.set('a minted key', minted)
      await send('POST', '/password/remind', null, { email: user.email })
      const mail = await messageTo(t, user.email, 'reset-password')
      planted.set('a reset token', tokenIn(mail))
      const phone = newPhone()
      await send('PUT', '/me/2fa', session, { ...phone.body, current_password: oldPassword })
      const code = codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
      await send('POST', '/me/2fa/verify', session, { token: code })
      for (const secret of [...planted.values()]) {
        await send('GET', `/users/${encodeURIComponent(secret)}`, t.adminKey) // where no secret belongs
        await send('GET', `/me?token=${encodeURIComponent(secret)}`, null)
      }
      const before = await dumpDatabase(t) // while the link is valid
      await reset(t, tokenIn(mail), user.email, newPassword)
      for (const path of ['/users', '/deliveries', '/activity', '/api-keys', '/sessions', `/users/${user.id}`]) {
        const holder = await t.createUser({
          role_id: await t.createRole(`reader ${path}`, ['users.manage', 'deliveries.view', 'users.activity']),
        })
        answers.push((await send('GET', path, holder.key)).body)
      }
      await app.close()
      const places = { database: before + (await dumpDatabase(t)), log: log.join(''), answers: answers.join('') }
      const found = Object.entries(places).flatMap(([place, text]) =>
        [...planted].filter(([, secret]) => text.includes(secret)).map(([what]) => `${what} in the ${place}`),
      )
      const size = Object.values(places).reduce((sum, text) => sum + text.length, 0)
      return {
        figure: `${planted.size} secrets, ${Math.round(size / 1000)} kB of database, log and answers, ${found.length} found${found[0] === undefined ? '' : `: ${found.join(', ')}`}`,
        holds: found.length === 0 && log.length > 10 && [...planted.values()].every((secret) => secret.length > 10),
      }
    }),
}
