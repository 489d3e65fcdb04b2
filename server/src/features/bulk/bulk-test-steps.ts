import { rowOf } from '../../testing/accounts.ts'
import type { TestApp } from '../../testing/app.ts'
import { runJobs } from '../../testing/jobs.ts'

let groups = 0

/** Steps of the tests of bulk actions, with the app that has been started by then. */
export function bulkSteps(app: () => TestApp) {
  /** Users whom a search finds, and nobody else. */
  const group = async (size: number, fields: object = {}) => {
    const name = `crowd${++groups}x`
    const users = []
    for (let at = 0; at < size; at++) {
      const email = `${name}-${at}@${name}${at}.example.com`
      users.push((await app().createUser({ email, ...fields })).user)
    }
    return { search: name, users, ids: users.map(({ id }) => id) }
  }

  const ask = (body: object, key?: string) =>
    app().call('POST /users/bulk', { body, ...(key === undefined ? {} : { key }) })
  const bulk = async (body: object, key?: string) => {
    const { status, body: answer, text } = await ask(body, key)
    if (status !== 202) throw new Error(text)
    await runJobs(app())
    return (await app().call(`GET /jobs/${answer.data.id}`)).body.data
  }
  const undo = async (id: number) => {
    const { status, body } = await app().call(`POST /jobs/${id}/undo`)
    if (status !== 202) return { status, code: body.code }
    await runJobs(app())
    return { status, job: (await app().call(`GET /jobs/${body.data.id}`)).body.data }
  }
  const statuses = async (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await rowOf(app(), id)).status))
  return { group, ask, bulk, undo, statuses }
}
