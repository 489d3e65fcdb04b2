import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../testing/avatars.ts'
import { fileHead, streamUpload } from '../testing/form-client.ts'
import { boundary, formHeaders, formOf, pictureOf } from '../testing/images.ts'
import { until } from '../testing/until.ts'

let t: AvatarApp
let port: number
const picture = await pictureOf(1)
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})
afterAll(() => t.close())

/** Sends a body to the upload through the whole server. */
const send = (body: Buffer, headers: Record<string, string> = formHeaders) =>
  t.call('POST /users/1/avatar', { headers, body })
const sendForm = (...parts: Parameters<typeof formOf>[0]) => send(formOf(parts))
const file = (name = 'file', bytes: Buffer | string = picture) => ({ name, bytes, filename: 'a.png' })

describe('multipart abuse is harmless', () => {
  it('answers 422 at `file` without a file, with an empty one, and with text in its place', async () => {
    for (const parts of [
      [],
      [file('avatar')],
      [file('file[]')],
      [file('file[a][b]')],
      [file('file', '')],
      [{ name: 'x', bytes: 'y' }],
    ]) {
      const { status, body } = await sendForm(...parts)
      expect([status, body.errors]).toEqual([422, { file: ['The file field is required.'] }])
    }
    const { status, body } = await sendForm({ name: 'file', bytes: '/home/ada/a.png' })
    expect([status, body.errors]).toEqual([422, { file: ['The file field must be a file.'] }])
  })

  it('answers 422 at file when there are two', async () => {
    for (const parts of [
      [file(), file()],
      [file(), file('other')],
      [file('other'), file()],
    ]) {
      const { status, body } = await sendForm(...parts)
      expect([status, body.errors]).toEqual([422, { file: ['The form must hold one file only.'] }])
    }
  })

  it('ignores the other fields of a form', async () => {
    const fields = ['_method', '_token', 'role_id', 'avatar'].map((name) => ({ name, bytes: '1' }))
    expect((await sendForm(...fields, file())).status).toBe(200)
  })

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['text', { 'content-type': 'text/plain' }],
    ['a picture without a form', { 'content-type': 'image/png' }],
    ['a form of another kind', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another multipart', { 'content-type': 'multipart/mixed; boundary=x' }],
  ])('answers 415 to %s', async (_name, headers) => {
    const { status, body } = await send(Buffer.from('{}'), headers)
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    expect(body.message).toContain('multipart/form-data')
  })

  it('answers 422 to no body at all', async () => {
    expect((await t.call('POST /users/1/avatar')).status).toBe(422)
  })

  it('accepts no file on any other route', async () => {
    const before = t.stored()
    for (const [request, status] of [
      ['POST /users', 422],
      ['PATCH /users/1', 200],
      ['PUT /users/1/avatar/external', 422],
    ] as const)
      expect((await t.call(request, { headers: formHeaders, body: formOf([file()]) })).status).toBe(status)
    expect(t.stored()).toEqual(before)
  })

  it('answers 413 to 10,000 parts', async () => {
    for (const part of [{ name: 'x', bytes: 'y' }, file('x', 'y')]) {
      const { status } = await sendForm(...Array.from({ length: 10_000 }, () => part))
      expect([413, 422]).toContain(status)
    }
  })

  it.each([
    ['no boundary', { 'content-type': 'multipart/form-data' }],
    ['another boundary', { 'content-type': 'multipart/form-data; boundary=other' }],
    ['a boundary of 100,000 characters', { 'content-type': `multipart/form-data; boundary=${'b'.repeat(10_000)}` }],
  ])('answers 400 to %s', async (_name, headers) => {
    expect((await send(formOf([file()]), headers)).status).toBe(400)
  })

  it.each([
    ['a form that stops in the middle of the file', formOf([file()]).subarray(0, 400)],
    ['a form that stops in a header', Buffer.from(`--${boundary}\r\nContent-Disp`)],
    ['a form without an end', Buffer.from(`--${boundary}`)],
    ['nothing', Buffer.alloc(0)],
    ['NUL', Buffer.alloc(1000)],
    ['boundaries alone', Buffer.from(`--${boundary}\r\n`.repeat(1000))],
    ['a part without a header', Buffer.from(`--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`)],
    ['a part without a name', Buffer.from(formOf([file()]).toString('latin1').replace('name="file"; ', ''), 'latin1')],
    ['a field named __proto__', formOf([{ name: '__proto__', bytes: 'x' }])],
    ['a file named __proto__', formOf([file('__proto__')])],
    ['a field named constructor', formOf([{ name: 'constructor', bytes: 'x' }])],
    ['a name of 100,000 characters', formOf([file('x'.repeat(100_000))])],
    ['a name that breaks its line', formOf([file('fi\r\nle')])],
    [
      '100 headers',
      formOf([file()])
        .toString('latin1')
        .replace('\r\n', `\r\n${'X-A: b\r\n'.repeat(100)}`),
    ],
    [
      'broken JSON in a field',
      `--${boundary}\r\nContent-Disposition: form-data; name="x"\r\nContent-Type: application/json\r\n\r\n{\r\n--${boundary}--\r\n`,
    ],
    ['parts within a part', formOf([{ name: 'file', bytes: formOf([file()]), filename: 'a' }])],
  ])('answers 4xx, or accepts the picture, for %s', async (_name, body) => {
    const { status, body: answer } = await send(Buffer.from(body as string, 'latin1'))
    if (status === 200) return
    expect([400, 413, 422]).toContain(status)
    expect(typeof answer.message).toBe('string')
  })

  it('answers 4xx at once to a form that is truncated anywhere, in one piece and in two', async () => {
    const form = formOf([{ name: 'x', bytes: 'y' }, file('file', picture.subarray(0, 300))])
    const texts = form.toString('latin1')
    for (let cut = 0; cut < form.length - 2; cut += texts[cut] === '-' || texts[cut] === '\r' ? 1 : 7) {
      const body = form.subarray(0, cut)
      const { status } = await send(body)
      expect([400, 422], `cut at ${cut}`).toContain(status)
      const pieces = [body.subarray(0, cut >> 1), body.subarray(cut >> 1)]
      expect([400, 422], `cut at ${cut}, in two`).toContain((await streamUpload(t, pieces)).status)
    }
  })

  it('survives clients that disconnect in the middle, and stores nothing of theirs', async () => {
    const { user, key } = await t.createUser()
    const before = t.stored()
    const form = formOf([file()])
    for (let round = 0; round < 40; round++) {
      const socket = connect(port, '127.0.0.1')
      await new Promise((ok) => socket.once('connect', ok))
      const cut = Math.floor((form.length * round) / 40)
      socket.write(
        `POST /api/me/avatar HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${form.length}\r\n` +
          `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`,
      )
      await new Promise((ok) => socket.write(form.subarray(0, cut), ok))
      socket.destroy()
    }
    await until(async () => {
      const connections = await new Promise<number>((ok) => t.app.server.getConnections((_error, count) => ok(count)))
      return connections === 0
    }, 'the connections to be gone')
    expect(t.stored()).toEqual(before)
    expect((await t.call(`GET /users/${user.id}`)).body.data.avatar).toContain('default.svg')
    // Uploads beyond the limit were cut off: none of them holds a place.
    expect((await t.upload('/me/avatar', picture, key)).status).toBe(200)
  })

  it('answers 503 with Retry-After to uploads beyond its limit, and accepts them again later', async () => {
    const { key } = await t.createUser()
    let refused = 0
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.once('data', (answer) => {
        if (answer.toString().startsWith('HTTP/1.1 503 ')) refused++
      })
      socket.write(
        `POST /api/me/avatar HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 5000\r\n` +
          `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n${fileHead}`,
      )
      return socket
    })
    await until(() => refused === 32, 'all eight places of a user to be taken')
    const { status, headers } = await t.upload('/me/avatar', picture, key)
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true])
    for (const socket of sockets) socket.destroy()
    await until(async () => (await t.upload('/me/avatar', picture, key)).status === 200, 'the places to be free')
  })
})
