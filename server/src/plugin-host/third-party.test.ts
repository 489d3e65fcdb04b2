import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createInstallation, type Installation, newKey, root } from '../testing/server-process.ts'

const listed = { GATEHOUSE_PLUGINS: 'gatehouse-notes' }
/** As an operator writes it; the helper treats an empty value as none. */
const unlisted = { GATEHOUSE_PLUGINS: ',' }

let place: Installation
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  const installed = join(place.folder, 'node_modules/gatehouse-notes')
  mkdirSync(installed, { recursive: true })
  cpSync(join(root, 'examples/plugin-notes'), installed, { recursive: true }) // as `npm install` places it
})
afterAll(() => place.remove())

const run = async (args: string[], settings: Record<string, string>) => {
  const { code, stdout, stderr } = await place.run(args, { settings })
  return { code, text: stdout + stderr }
}

// The location of a package does not depend on the database, so one of the two is enough. install.test.ts runs on both.
describe.runIf(inject('postgresUrl') === null)('a third-party package outside the repository', () => {
  it('creates its tables once, with parallel starts', async () => {
    const both = await Promise.all([run(['migrate'], listed), run(['migrate'], listed)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
  })

  it('works over HTTP with all of its parts, like ours', async () => {
    const server = await place.start(listed)
    const note = (body: object) => server.call('POST /notes', { body })
    const made = await note({ user_id: 1, text: 'Called.' })
    expect(made).toMatchObject({ status: 201, body: { data: { id: 1, user_id: 1 } } })
    expect(await note({ user_id: 99, text: '' })).toMatchObject({
      status: 422,
      body: { errors: { user_id: ['There is no such user.'], text: ['The text field is required.'] } },
    })
    const list = await server.call('GET /notes?filter[text]=CALL&include=user')
    expect(list.body).toMatchObject({ data: [{ text: 'Called.', user: { id: 1, email: 'admin@localhost' } }] })
    await server.call('PATCH /settings', { body: { 'notes.per_user': 1 } })
    expect(await note({ user_id: 1, text: 'Again.' })).toMatchObject({ status: 422, body: { code: 'notes_full' } })
    const password = 'correct horse battery'
    const user = { email: 'x@example.com', role_id: 2, password, password_confirmation: password }
    const { id } = (await server.call('POST /users', { body: user })).body.data
    await note({ user_id: id, text: 'About them.' })
    await server.call(`DELETE /users/${id}`)
    expect((await server.call('GET /notes')).body.meta.total).toBe(1)
    const { body: document } = await server.call('GET /openapi.json')
    expect(document.paths['/notes'].post).toMatchObject({ operationId: 'createNote', tags: ['Notes'] })
    expect((await server.call('GET /meta')).body.data).toMatchObject({ plugins: ['notes'], console_plugins: [] })
    expect((await server.stop()).code).toBe(0)
  })

  it('is gone once it is not listed; its data can be listed and removed', async () => {
    const server = await place.start(unlisted)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const path of ['/notes', '/notes/1']) expect((await server.call(`${method} ${path}`)).status).toBe(404)
    for (const path of ['/openapi.json', '/settings', '/meta', '/permissions']) {
      const { text } = await server.call(`GET ${path}`)
      expect(['"Note"', '"/notes', '"notes.'].filter((trace) => text.includes(trace))).toEqual([])
    }
    await server.stop()
    const { text } = await run(['plugins', 'list', '--json'], unlisted)
    expect(JSON.parse(text)).toEqual([{ id: 'notes', version: '1.0.0', listed: false, source: 'gatehouse-notes' }])
    const asked = await run(['plugins', 'remove', 'notes'], unlisted)
    expect(asked.code).toBe(1)
    expect(asked.text).toMatch(/^gatehouse: [^\n]*notes\.manage and who holds it; notes\.per_user\. Add --drop-data/)
    const removed = await run(['plugins', 'remove', 'notes', '--drop-data'], unlisted)
    expect(removed).toEqual({ code: 0, text: 'All data of notes is removed.\n' })
  })

  it('starts empty when it is listed again; while it is listed, it cannot be removed', async () => {
    const server = await place.start(listed)
    expect((await server.call('GET /notes')).body.data).toEqual([])
    expect((await server.call('GET /settings')).body.data).toMatchObject({ 'notes.per_user': 100 })
    const refused = await run(['plugins', 'remove', 'notes', '--drop-data'], listed)
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('the plugin notes is listed') })
    expect(existsSync(join(place.folder, 'node_modules/@gatehouse'))).toBe(false)
    await server.stop()
  })

  it('that breaks stops every start with one line, before anything is printed, and does not blame the database', async () => {
    const folder = join(place.folder, 'broken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const route = "{ method: 'GET', path: '/x', operationId: 'x', summary: 'x', answer: 'success', handle() {} }"
    for (const [routes, why] of [
      ["{ throw new Error('oops') }", 'its parts cannot be created: oops'],
      [`[${route}]`, 'the route GET /x does not say who may call it (access).'],
    ] as const) {
      writeFileSync(join(folder, 'index.js'), `export default { id: 'broken', routes: () => ${routes} }`)
      const refused = { code: 1, stdout: '', stderr: `gatehouse: GATEHOUSE_PLUGINS: ./broken: ${why}\n` }
      expect(await place.run(['start'], { settings: { GATEHOUSE_PLUGINS: './broken' } })).toEqual(refused)
    }
  })
})

describe.runIf(inject('postgresUrl') === null)('a plugin that forgets to await', () => {
  it('fails alone: the log has the error, and the service goes on', async () => {
    const folder = join(place.folder, 'hasty')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const handle = "async () => { Promise.reject(new Error('nobody waits for this')) }"
    const route = `{ method: 'POST', path: '/hasty', operationId: 'x', summary: 'x', access: 'public', answer: 'success', handle: ${handle} }`
    writeFileSync(join(folder, 'index.js'), `export default { id: 'hasty', routes: () => [${route}] }`)
    const server = await place.start({ GATEHOUSE_PLUGINS: './hasty', GATEHOUSE_LOG_LEVEL: 'error' })
    expect((await server.call('POST /hasty')).status).toBe(200)
    expect((await server.call('GET /me')).status).toBe(200)
    const { code } = await server.stop()
    expect(code).toBe(0)
    expect(server.said.stdout).toContain('nobody waits for this')
  })
})
