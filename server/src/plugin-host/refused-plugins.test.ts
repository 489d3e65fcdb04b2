import { type Host, Id, type Plugin, Type } from '@gatehouse/plugin-kit'
import { describe, expect, inject, it } from 'vitest'
import { corePermissions } from '../core/permissions.ts'
import { startTestApp } from '../testing/app.ts'
import { loadedNotes, notes } from './notes.fixture.ts'

const fail = (message: string): never => {
  throw new Error(message)
}

describe('a start', () => {
  const page = { summary: 'x', access: 'public', answer: 'success', handle: async () => {} } as const
  const get = (path: string, operationId: string) => ({ ...page, method: 'GET' as const, path, operationId })

  const list = { ...page, method: 'GET' as const, path: '/notes', operationId: 'x', handle: undefined }
  const lists = (fields: object) => [{ ...list, list: { ...spec, ...fields } }]
  const spec = {
    table: 'notes',
    columns: ['id', 'text'],
    sorts: { id: { column: 'id', type: 'number' }, text: { column: 'text', type: 'text' } },
    defaultSort: '-text',
    item: Type.Object({ id: Id }),
    toItem: (row: object) => row,
  }

  it.each([
    ['a route of the core', [get('/users/{name}', 'x')], 'the route GET /users/{name} is there already.'],
    ['one id of a route of the core', [get('/users/1/sessions', 'x')], 'GET /users/1/sessions is there already.'],
    ['a name of the core', [get('/notes', 'listUsers')], 'the operationId "listUsers" is there already.'],
    ['its own route', [get('/notes', 'x'), get('/notes', 'y')], 'the route GET /notes is there already.'],
    ['a path that is none', [get('notes', 'x')], '"notes" is no path.'],
    ['no access', [{ ...get('/notes', 'x'), access: undefined }], 'GET /notes does not say who may call it (access).'],
    ['a word as its access', [{ ...get('/notes', 'x'), access: 'admin' }], 'does not say who may call it (access).'],
    [
      'a permission that it does not declare',
      [{ ...get('/notes', 'x'), access: { permission: 'notes.read' } }],
      'GET /notes needs the permission "notes.read", which is not among its permissions.',
    ],
    [
      'a mistyped permission of the core',
      [{ ...get('/notes', 'x'), access: { permission: 'users.mange' } }],
      'GET /notes needs the permission "users.mange", which the core does not have. It has users.manage, users.activity, ',
    ],
    [
      'one mistyped permission of several',
      [{ ...get('/notes', 'x'), access: { permission: ['notes.write', 'user.manage'] } }],
      'GET /notes needs the permission "user.manage", which the core does not have.',
    ],
    ['a route without handle', [{ ...get('/notes', 'x'), handle: undefined }], 'GET /notes has no handle.'],
    ['a list without ids', lists({ columns: ['text'] }), 'the list GET /notes has no column "id".'],
    ['a sort of no column', lists({ columns: ['id'] }), 'the list GET /notes has no column "text".'],
    [
      'a filter of no kind',
      lists({ filters: { q: { kind: 'like', column: 'text' } } }),
      'the filter "q" of GET /notes needs a kind: id, ',
    ],
    ['a list that is sent', [{ ...lists({})[0], method: 'POST' }], 'the method of POST /notes must be GET.'],
    [
      'a method of its own',
      [{ ...get('/notes', 'x'), method: 'OPTIONS' }],
      'the method of OPTIONS /notes must be GET, POST,',
    ],
    ['a list without items', lists({ item: undefined }), 'the list GET /notes has no "item".'],
    ['a list without sorts', lists({ sorts: undefined }), 'the list GET /notes has no "sorts".'],
    ['a list without order', lists({ defaultSort: undefined }), 'the list GET /notes has no "defaultSort".'],
    ['a list that shapes nothing', lists({ toItem: undefined }), 'the list GET /notes has no "toItem".'],
    ['a list of unknown parts', lists({ filter: {} }), 'the list GET /notes knows no "filter".'],
    [
      'a filter of no column',
      lists({ filters: { q: { kind: 'id' } } }),
      'the filter "q" of GET /notes needs a column.',
    ],
    [
      'a choice of nothing',
      lists({ filters: { q: { kind: 'choice', column: 'text' } } }),
      'the filter "q" of GET /notes needs choices.',
    ],
    [
      'an include that is a function',
      lists({ includes: { user: () => 1 } }),
      'the include "user" of GET /notes needs key and load.',
    ],
    ['a list of no table', lists({ table: 'nowhere' }), 'the list GET /notes cannot be read: '],
    ['a filter of a lost column', lists({ filters: { q: { kind: 'id', column: 'lost' } } }), 'lost'],
    [
      'a permission beside its access',
      [{ ...get('/notes', 'x'), permission: 'notes.write' }],
      'the route GET /notes knows no "permission".',
    ],
    ['no operationId', [get('/notes', undefined as never)], 'the route GET /notes has no operationId.'],
    ['no summary', [{ ...get('/notes', 'x'), summary: undefined }], 'the route GET /notes has no summary.'],
    [
      'a body of words',
      [{ ...get('/notes', 'x'), method: 'POST', body: { text: 'string' } }],
      'the body of POST /notes must be',
    ],
    [
      'a status of an error',
      [{ ...get('/notes', 'x'), status: 404 }],
      'the status of GET /notes must be 200, 201 or 202.',
    ],
    ['a route that is null', [null], 'a route must be an object.'],
    ['a default that is no sort', lists({ defaultSort: '-made' }), 'the list GET /notes has no sort "made".'],
  ])('refuses a plugin that uses %s', async (_, routes, message) => {
    const started = startTestApp(
      inject('postgresUrl'),
      {},
      { plugins: [loadedNotes({ ...notes, routes: () => routes as never })] },
    )
    await expect(started).rejects.toThrow('GATEHOUSE_PLUGINS: ./notes: ')
    await expect(started).rejects.toThrow(message)
  })

  const mail = (text: string) => ({ hi: { subject: 'Hi', text, html: '<p>Hi</p>' } })
  const job = { name: 'sweep', everySeconds: 60, run: async () => false }
  it.each([
    ['throws', { routes: () => fail('out\n of tea') }, /its parts cannot be created: out of tea$/],
    ['has no folder of mails', { mails: new URL('file:///nowhere/') }, /its parts cannot be created: ENOENT: [^\n]+$/],
    ['has a mail without HTML', { mails: { hi: { subject: 'Hi', text: 'Hi' } } }, /: the mail "hi" has no html$/],
    ['has a mail with a wrong tag', { mails: mail('{% if %}') }, /: the text of the mail "hi": [^\n]+$/],
    ['has a mail with an unknown filter', { mails: mail('{{ a | shout }}') }, /"hi": undefined filter: shout/],
    ['has a job without a pause', { jobs: () => [{ ...job, everySeconds: 0 }] }, /the job "sweep" needs everySeconds/],
    ['forgets to return its routes', { routes: () => undefined }, /its "routes" must return an array\.$/],
    ['promises its jobs', { jobs: async () => [] }, /its "jobs" must return an array, not a promise\.$/],
    ['promises its reactions', { on: async () => ({}) }, /its "on" must return an object, not a promise\.$/],
    ['has a job without a name', { jobs: () => [{ ...job, name: undefined }] }, /: a job needs a name\.$/],
    ['has a job twice', { jobs: () => [job, job] }, /the job "sweep" is there twice\.$/],
    [
      'reacts to what it never records',
      { on: () => ({ 'note.gone': async () => {} }) },
      /to "note\.gone", which is no event\.$/,
    ],
    [
      'has work for a thread in no file',
      { routes: (host: Host) => [host.inThread(new URL('file:///nowhere.js'), 'x')] as never },
      /its parts cannot be created: inThread: there is no file \/nowhere\.js$/,
    ],
    [
      'names a file for a thread without a URL',
      { routes: (host: Host) => [host.inThread('package.json' as never, 'x')] as never },
      /its parts cannot be created: inThread needs new URL\('\.\/work\.js', import\.meta\.url\), not package\.json$/,
    ],
    [
      'has a migration that does not wait',
      { migrations: { '0001-initial': { up: () => {}, down: async () => {} } } },
      /its migration 0001-initial failed: it returned no promise\. Return or await what it does\.$/,
    ],
    ['has a job that does nothing', { jobs: () => [{ ...job, run: undefined }] }, /the job "sweep" has no run\.$/],
    [
      'has a route without answer',
      { routes: () => [{ ...get('/notes', 'x'), answer: undefined }] },
      /the answer of GET \/notes must be a schema, 'success', 'html' or \{ file: 'text\/csv' \}\.$/,
    ],
    [
      'has an errorPage that is none',
      { routes: () => [{ ...get('/notes', 'x'), errorPage: '<p>No</p>' }] },
      /the errorPage of GET \/notes is not a function\.$/,
    ],
    [
      'waits for what never happens',
      { on: () => ({ 'user.delete': async () => {} }) },
      /to "user\.delete", which is no event\.$/,
    ],
    [
      'waits for many of those',
      { onMany: () => ({ 'user.delete': async () => {} }) },
      /to "user\.delete", which is no event\.$/,
    ],
    [
      'reacts with nothing',
      { on: () => ({ 'user.deleted': undefined }) },
      /its reaction to "user\.deleted" is not a function\.$/,
    ],
  ])('refuses a plugin that %s in one line', async (_, parts, message) => {
    const started = startTestApp(
      inject('postgresUrl'),
      {},
      { plugins: [loadedNotes({ ...notes, ...(parts as Partial<Plugin>) })] },
    )
    await expect(started).rejects.toThrow(/^GATEHOUSE_PLUGINS: \.\/notes: [^\n]+$/)
    await expect(started).rejects.toThrow(message)
  })

  it('takes permissions of the core, and those that others may have made', async () => {
    const permissions = [...corePermissions, corePermissions, 'other-plugin.manage', 'editors']
    const routes = permissions.map((permission, n) => ({ ...get(`/notes/${n}`, `x${n}`), access: { permission } }))
    const t = await startTestApp(
      inject('postgresUrl'),
      {},
      { plugins: [loadedNotes({ ...notes, routes: () => routes })] },
    )
    expect((await t.call('GET /notes/0')).status).toBe(200)
    await t.close()
  })
})
