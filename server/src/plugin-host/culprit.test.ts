import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'
import { findCulprit } from './culprit.ts'
import { loadedNotes } from './notes.fixture.ts'

const helper = `export const fail = () => { throw new Error('out of tea') }`
const plugin = `
import { fail } from './helper.js'
const doings = {
  timer: () => setTimeout(fail, 1),
  forgotten: async () => { (async () => fail())() },
}
export default {
  id: 'tea',
  routes: () => Object.entries(doings).map(([name, run]) => ({
    method: 'POST', path: '/tea/' + name, operationId: name, summary: name, access: 'public', answer: 'success',
    handle: async () => { run() },
  })),
}
`

it('the log names the plugin whose timer ends the service, and whose promise nobody awaited', async () => {
  const place = await createInstallation(null)
  onTestFinished(place.remove)
  mkdirSync(join(place.folder, 'tea'))
  writeFileSync(join(place.folder, 'tea/package.json'), '{ "type": "module" }')
  writeFileSync(join(place.folder, 'tea/index.js'), plugin)
  writeFileSync(join(place.folder, 'tea/helper.js'), helper)
  const server = await place.start({ GATEHOUSE_PLUGINS: './tea,announcements' })
  const logged = () => server.said.stdout.split('\n').filter((line) => line.includes('out of tea'))

  expect((await server.call('POST /tea/forgotten')).status).toBe(200)
  await until(() => logged().length === 1, 'a line of the log')
  expect(JSON.parse(logged()[0] ?? '')).toMatchObject({ level: 50, plugin: 'tea', err: { message: 'out of tea' } })

  await server.call('POST /tea/timer').catch(() => {})
  expect(await server.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Error: out of tea') })
  expect(JSON.parse(logged()[1] ?? '')).toMatchObject({
    level: 50,
    plugin: 'tea',
    msg: 'an exception that nobody caught ends the process',
  })
})

it('a plugin whose folder holds the service is not blamed for the service', () => {
  const around = { ...loadedNotes(), folder: dirname(root) }
  expect(findCulprit([around], new Error('ours'))).toBeUndefined()
  const theirs = Object.assign(new Error('theirs'), { stack: `Error: theirs\n    at ${around.folder}/index.js:1:1` })
  expect(findCulprit([around], theirs)).toBe('notes')
  expect(findCulprit([around], 'a text')).toBeUndefined()
})
