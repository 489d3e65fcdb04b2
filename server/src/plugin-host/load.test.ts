import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPlugins } from './load.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-plugins-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package in its own folder; returns its path. */
function write(name: string, source: string, manifest: object = {}): string {
  const path = join(folder, 'node_modules', name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module', version: '3.2.1', ...manifest }))
  writeFileSync(join(path, 'index.js'), source)
  return path
}
const plugin = (name: string, value: string): string => write(name, `export default ${value}`)

const settingsOf = (id: string, size: string): string =>
  `{ id: '${id}', settings: { type: 'object', properties: { size: ${size} } } }`

describe('loadPlugins', () => {
  it('finds a package by its path, its exports and its main', async () => {
    const exports = { '.': { types: './x.d.ts', import: './index.js' }, './console': { default: './dist/console.js' } }
    const one = write('one', "export default { id: 'one' }", { exports })
    const two = write('two', "export default { id: 'two' }", { main: './index.js' })
    const loaded = await loadPlugins([one, two, join(plugin('three', "{ id: 'three' }"), 'index.js')])
    expect(loaded.map(({ plugin: { id }, version, console }) => ({ id, version, console }))).toEqual([
      { id: 'one', version: '3.2.1', console: join(one, 'dist/console.js') },
      { id: 'two', version: '3.2.1', console: null },
      { id: 'three', version: '0.0.0', console: null },
    ])
  })

  it('finds a short name among our own packages', async () => {
    expect((await loadPlugins(['announcements'])).map((loaded) => loaded.plugin.id)).toEqual(['announcements'])
  })

  it.each([
    ['a missing package', () => ['nowhere'], /nowhere: there is no package @gatehouse\/plugin-nowhere or nowhere\./],
    ['a missing path', () => ['./nowhere'], /there is nothing at .*nowhere/],
    ['an import that throws', () => [write('bad', "throw new Error('out\\n of tea')")], /cannot be loaded: out of tea/],
    ['a syntax error', () => [write('torn', 'export default {')], /cannot be loaded: /],
    ['no default export', () => [write('none', 'export const x = 1')], /no plugin as its default export/],
    ['another default export', () => [plugin('text', "'hello'")], /no plugin as its default export/],
    ['an id that is none', () => [plugin('id', "{ id: 'My Plugin' }")], /the id "My Plugin" is not/],
    ["an id of the core's own", () => [plugin('own', "{ id: 'users' }")], /the id "users" is a name of the core's own/],
    ['an unknown part', () => [plugin('part', "{ id: 'part', route: 1 }")], /a plugin has no "route"/],
    ['a part of the wrong kind', () => [plugin('kind', "{ id: 'kind', routes: [] }")], /"routes" must be a function/],
    ['one id twice', () => [plugin('a', "{ id: 'same' }"), plugin('b', "{ id: 'same' }")], /same id, "same", as /],
    [
      'a permission without the prefix',
      () => [plugin('perm', "{ id: 'perm', permissions: [{ name: 'users.manage' }] }")],
      /the permission "users.manage" must begin with "perm\."/,
    ],
    [
      'a permission twice',
      () => [plugin('twice', "{ id: 'twice', permissions: [{ name: 'twice.x' }, { name: 'twice.x' }] }")],
      /the permission "twice.x" is there twice/,
    ],
    [
      'a permission that is a text',
      () => [plugin('perm-text', "{ id: 'perm-text', permissions: ['perm-text.manage'] }")],
      /a permission must be an object with a name, a display_name and a description/,
    ],
    [
      'settings that are no schema',
      () => [plugin('plain', "{ id: 'plain', settings: { size: 1 } }")],
      /its settings must be a TypeBox object/,
    ],
    ["an event of the core's", () => [plugin('ev', "{ id: 'ev', events: ['user.deleted'] }")], /one of the core's/],
    ['an event without a thing', () => [plugin('form', "{ id: 'form', events: ['Made'] }")], /not of the form/],
    [
      'an event of another plugin',
      () => [
        plugin('ev-a', "{ id: 'ev-a', events: ['x.made'] }"),
        plugin('ev-b', "{ id: 'ev-b', events: ['x.made'] }"),
      ],
      /the event "x\.made" belongs to /,
    ],
    [
      'a setting without a default',
      () => [plugin('set', "{ id: 'set', settings: { type: 'object', properties: { size: { type: 'integer' } } } }")],
      /the setting "size" has no default/,
    ],
    [
      'a setting whose default does not fit',
      () => [plugin('fit', settingsOf('fit', "{ type: 'integer', default: 'x' }"))],
      /the default of the setting "size" does not fit its schema/,
    ],
    [
      'a setting that is a list',
      () => [plugin('list', settingsOf('list', "{ type: 'array', items: { type: 'string' }, default: [] }"))],
      /the setting "size" must be a boolean, a number or a text/,
    ],
    [
      'a migration that cannot be reverted',
      () => [plugin('down', "{ id: 'down', migrations: { '0001': { up: async () => {} } } }")],
      /the migration "0001" has no down/,
    ],
    [
      'a part that is null',
      () => [plugin('nothing', "{ id: 'nothing', settings: null }")],
      /its "settings" must be an object/,
    ],
    ['events that are no list', () => [plugin('evs', "{ id: 'evs', events: {} }")], /its "events" must be an array/],
    [
      'migrations in a list',
      () => [plugin('migs', "{ id: 'migs', migrations: [] }")],
      /"migrations" must be an object/,
    ],
    [
      'mails in a text',
      () => [plugin('post', "{ id: 'post', mails: './mails' }")],
      /"mails" must be an object or a URL/,
    ],
    [
      'a permission without words',
      () => [plugin('words', "{ id: 'words', permissions: [{ name: 'words.x', title: 'X' }] }")],
      /the permission "words\.x" needs a display_name and a description/,
    ],
    ['a setting that is none', () => [plugin('sn', settingsOf('sn', 'null'))], /the setting "size" is no schema/],
    [
      'an error that is a number',
      () => [plugin('en', "{ id: 'en', errors: { en_full: 422 } }")],
      /the error "en_full" must be \[status, message\]/,
    ],
    [
      'a migration that is none',
      () => [plugin('mn', "{ id: 'mn', migrations: { '0001': undefined } }")],
      /the migration "0001" has no up/,
    ],
    [
      'an open event that is none of its events',
      () => [plugin('open', "{ id: 'open', events: ['x.made'], openEvents: ['x.lost'] }")],
      /the open event "x\.lost" is not among its events/,
    ],
    [
      'an error code without the prefix',
      () => [plugin('my-err', "{ id: 'my-err', errors: { not_found: [404, 'x'] } }")],
      /the error code "not_found" must begin with "my_err_"/,
    ],
  ])('refuses %s in one line', async (_, sources, message) => {
    const refused = loadPlugins(sources())
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(/^GATEHOUSE_PLUGINS: [^\n]+$/)
  })

  it('imports nothing if none is listed', async () => {
    expect(await loadPlugins([])).toEqual([])
  })
})
