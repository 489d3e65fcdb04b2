import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import S3rver from 's3rver'
import { beforeEach, expect, inject, it, onTestFinished } from 'vitest'
import { toLoggedError } from '../../cli/logger.ts'
import { parseConfig } from '../../config.ts'
import { createTestApp } from '../../testing/app.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { formHeaders, formOf, pictureOf } from '../../testing/images.ts'
import { s3Storage } from './s3-storage.ts'
import { openStorage } from './storage.ts'

/** A real S3-compatible server with an empty bucket. */
let url: (credentials?: string) => string
let stored: () => string[]
beforeEach(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    allowMismatchedSignatures: false,
    configureBuckets: [{ name: 'pictures', configs: [] }],
  })
  const { port } = await server.run()
  onTestFinished(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  url = (credentials = 'S3RVER:S3RVER') =>
    `s3://${credentials}@127.0.0.1:${port}/pictures?region=us-east-1&path_style=1`
  stored = () => readdirSync(join(directory, 'pictures')).filter((name) => name.endsWith('_object'))
})

const storageAt = (text: string) => openStorage(parseConfig({ GATEHOUSE_STORAGE_URL: text }).storage)
const name = `${createHash('sha256').update('a').digest('hex')}.webp`

it('stores, reads and removes objects', async () => {
  const storage = storageAt(url())
  const bytes = Buffer.from('a picture')
  expect(await storage.get(name)).toBeUndefined()
  await storage.put(name, bytes)
  await storage.put(name, bytes) // does nothing
  const found = await storage.get(name)
  expect(found?.bytes).toBe(bytes.length)
  expect(Buffer.concat((await found?.stream.toArray()) ?? [])).toEqual(bytes)
  await storage.remove(name)
  await storage.remove(name)
  expect(await storage.get(name)).toBeUndefined()
})

it('says which store refused what, without the secret', async () => {
  const failed = storageAt(url('NOBODY:wrong-secret')).put(name, Buffer.from('a'))
  await expect(failed).rejects.toThrow(/the storage at 127\.0\.0\.1:\d+ answered PUT with 403/)
})

it('says which store cannot be reached, and why', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const storage = storageAt(`s3://key:secret@127.0.0.1:${port}/pictures`)
  const logged = { message: `the storage at 127.0.0.1:${port} cannot be reached`, cause: /ECONNREFUSED 127\.0\.0\.1/ }
  for (const use of [() => storage.put(name, Buffer.from('a')), () => storage.remove(name)]) {
    const error = toLoggedError(await use().catch((failure) => failure))
    expect(error).toMatchObject({ ...logged, cause: expect.stringMatching(logged.cause) })
  }
  const error = toLoggedError(await storage.get(name).catch((failure) => failure))
  expect(error).toMatchObject({ cause: expect.stringMatching(new RegExp(`^${logged.message}: .*ECONNREFUSED`)) })
})

it('tells a missing bucket from a missing picture', async () => {
  const elsewhere = storageAt(url().replace('/pictures', '/paintings'))
  await expect(elsewhere.get(name)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^the storage at 127\.0\.0\.1:\d+ has no such bucket$/) },
  })
  await expect(elsewhere.put(name, Buffer.from('a'))).rejects.toThrow('has no such bucket')
})

it('gives up on a store that says nothing, also when memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collecting = setInterval(runInNewContext('gc'), 20)
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    clearInterval(collecting)
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b', region: 'us-east-1' }
  const storage = s3Storage({ endpoint: `http://127.0.0.1:${port}/pictures`, ...credentials }, 500)
  const timedOut = { cause: { message: expect.stringContaining('timeout') } }
  await expect(storage.put(name, Buffer.from('a'))).rejects.toMatchObject(timedOut)
  await expect(storage.get(name)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(storage.remove(name)).rejects.toMatchObject(timedOut)
})

it('stores what it may not ask for, as Amazon lets nobody who may not list the bucket', async () => {
  const peer = await startHttpPeer()
  peer.answer = ({ method }) => ({ status: method === 'HEAD' ? 403 : 200 })
  await storageAt(`${peer.url.replace('http://', 's3://a:b@')}/pictures?path_style=1`).put(name, Buffer.from('a'))
  expect(peer.requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT'])
})

it('says why the store refuses, also where its answer to HEAD cannot', async () => {
  const peer = await startHttpPeer()
  const storage = storageAt(`${peer.url.replace('http://', 's3://a:b@')}/pictures?path_style=1`)
  const why = "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'"
  const body = `<Error><Code>AuthorizationHeaderMalformed</Code><Message>${why}</Message><AWSAccessKeyId>a</AWSAccessKeyId></Error>`
  for (const status of [400, 301]) {
    const headers = { location: 'http://127.0.0.1:1/' }
    peer.answer = ({ method }) => (method === 'HEAD' ? { status } : { status, body, headers })
    const message = `answered PUT with ${status}: AuthorizationHeaderMalformed: ${why}`
    await expect(storage.put(name, Buffer.from('a'))).rejects.toThrow(message)
    await expect(storage.get(name)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/expecting 'eu/) },
    })
  }
})

it('signs with the session of temporary credentials', async () => {
  const peer = await startHttpPeer()
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'of an hour' }
  const address = `${peer.url.replace('http:', 's3:')}/pictures?path_style=1`
  await openStorage(parseConfig({ GATEHOUSE_STORAGE_URL: address, ...env }).storage).remove(name)
  expect(peer.requests[0]?.headers['x-amz-security-token']).toBe('of an hour')
  await storageAt(address.replace('//', '//c:d@')).remove(name)
  expect(peer.requests[1]?.headers).not.toHaveProperty('x-amz-security-token')
})

it('says which store broke a picture off', async () => {
  const peer = await startHttpPeer()
  peer.answer = () => ({ status: 200, body: 'half', headers: { 'content-length': '8' } })
  const found = await storageAt(`${peer.url.replace('http://', 's3://a:b@')}/pictures?path_style=1`).get(name)
  setTimeout(peer.close, 50)
  await expect(found?.stream.toArray()).rejects.toThrow(/^the storage at 127\.0\.0\.1:\d+ broke off$/)
})

it('serves a picture whole whose length the store does not say', async () => {
  const peer = await startHttpPeer()
  peer.answer = () => ({ status: 200, body: 'a picture', headers: { 'transfer-encoding': 'chunked' } })
  const t = await createTestApp(inject('postgresUrl'), {
    GATEHOUSE_STORAGE_URL: `${peer.url.replace('http://', 's3://a:b@')}/pictures?path_style=1`,
  })
  const picture = await t.call(`GET //avatars/${name}`, { key: null })
  expect([picture.status, picture.text]).toEqual([200, 'a picture'])
  expect(picture.headers['content-length']).toBeUndefined()
})

it('serves uploaded pictures, and a request to a store that is away is 503', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_STORAGE_URL: url() })
  const body = formOf([{ name: 'file', filename: 'a.png', bytes: await pictureOf(1) }])
  const { status, body: answer } = await t.call('POST /me/avatar', { body, headers: formHeaders })
  expect(status).toBe(200)
  await expect.poll(stored).toHaveLength(2) // on a busy machine s3rver answers before the file is there
  const picture = await t.call(`GET /${new URL(answer.data.avatar).pathname}`, { key: null })
  expect(picture.status).toBe(200)
  expect(picture.headers['content-type']).toBe('image/webp')
  expect((await t.call('DELETE /me/avatar')).status).toBe(200)
  await expect.poll(stored).toEqual([])

  const away = await createTestApp(inject('postgresUrl'), {
    GATEHOUSE_STORAGE_URL: 's3://a:b@127.0.0.1:1/pictures?path_style=1',
  })
  expect((await away.call('POST /me/avatar', { body, headers: formHeaders })).status).toBe(503)
  expect((await away.call(`GET //avatars/${name}`, { key: null })).status).toBe(503)
})
