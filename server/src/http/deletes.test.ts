import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createOwner, handleOf, signIn } from '../features/sessions/sessions-test-steps.ts'
import { createHolder } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { operations } from '../testing/openapi.ts'
import { addTotp } from '../testing/totp.ts'
import { turnOnTwoFactor } from '../testing/two-factor.ts'

/* Of several parallel deletions of one object, one succeeds; the others find nothing and answer so. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let names = 0
const made = async (request: string, body: object): Promise<number> => (await t.call(request, { body })).body.data.id

const queuedJob = async () => {
  const { user } = await t.createUser()
  return made('POST /users/bulk', { action: 'end_sessions', ids: [user.id], expected: 1 })
}

/** Creates an object for each deletion; returns its id. */
const objects: Record<string, () => Promise<number | string>> = {
  deleteUser: async () => (await t.createUser()).user.id,
  disableTwoFactor: async () => {
    const { id } = (await t.createUser()).user
    await turnOnTwoFactor(t, id)
    return id
  },
  deleteRole: () => made('POST /roles', { name: `role ${++names}` }),
  deletePermission: () => made('POST /permissions', { name: `permission${++names}` }),
  revokeApiKey: async () => (await createHolder(t, [])).keyId,
  endSession: async () => handleOf(t, await signIn(t, await createOwner(t))),
  removeFactor: async () => {
    const { id } = (await t.createUser()).user
    return `${id}/factors/${await addTotp(t, id)}`
  },
  cancelJob: queuedJob,
  deleteWebhook: () => made('POST /webhooks', { url: 'https://example.com/hook', events: ['*'] }),
  deleteAnnouncement: () => made('POST /announcements', { title: 'News', body: 'News' }),
}

/** These reach a state, so each caller who asks for it is told that it is reached. */
const states: Record<string, string> = {
  removeAvatar: 'the default picture is there',
  removeMyAvatar: 'the default picture is there',
  endUserSessions: 'no session is left',
  endMySessions: 'no session is left; the credential ends with them',
  removeMyFactor: 'asks for the password each time; the same service as removeFactor',
  disableMyTwoFactor: 'asks for the password each time; the same service as disableTwoFactor',
  cancelAnnouncementNotifications: 'nothing more is sent',
}

const deletions = operations.filter(({ method }) => method === 'DELETE')

describe('a deletion', () => {
  it('is tested here, or reaches a state', () => {
    const known = [...Object.keys(objects), ...Object.keys(states)]
    expect(deletions.map(({ operationId }) => operationId).filter((id) => !known.includes(id))).toEqual([])
  })

  it.each(deletions.filter(({ operationId }) => operationId in objects))(
    '$operationId, twenty times at once: one answers 200',
    async ({ operationId, path }) => {
      const id = await (objects[operationId] as () => Promise<number | string>)()
      const request = `DELETE ${path.replace('/factors/{factor}', '').replace(/\{\w+\}/, String(id))}`
      const answers = await Promise.all(Array.from({ length: 20 }, () => t.call(request)))
      const statuses = answers.map(({ status }) => status).sort()
      const refused = { disableTwoFactor: 422, cancelJob: 409 }[operationId] ?? 404
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => refused)])
    },
  )
})
