import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../testing/avatars.ts'
import { fileHead, forever, megabyte, streamUpload } from '../testing/form-client.ts'
import { boundary, formHeaders, formOf, pictureOf } from '../testing/images.ts'
import { answerError } from './errors.ts'
import { acceptFileForms, receiveFile } from './multipart.ts'

let t: AvatarApp
let port: number
const picture = await pictureOf(1)
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})
afterAll(() => t.close())

const path = '/api/users/1/avatar'
const maxBytes = 5 * 1024 * 1024

/** Sends a body to the upload through the whole server. */
const sendForm = (...parts: Parameters<typeof formOf>[0]) =>
  t.call('POST /users/1/avatar', { headers: formHeaders, body: formOf(parts) })
const file = (name = 'file', bytes: Buffer | string = picture) => ({ name, bytes, filename: 'a.png' })

describe('an upload is refused while it streams, not after', () => {
  // asvs: 5.2.1
  it('accepts a file of exactly 5 MiB and answers 413 to one byte more', async () => {
    const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
    expect((await sendForm(file('file', padded(maxBytes)))).status).toBe(200)
    const { status, body } = await sendForm(file('file', padded(maxBytes + 1)))
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
    expect(body.message).toContain('5 MiB')
  })

  it('answers 413 to an endless file after little more than 5 MiB', async () => {
    const { status, sent } = await streamUpload(t, forever(fileHead, megabyte))
    expect(status).toBe(413)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('answers 413 to an announced length beyond the limit before any of it arrives', async () => {
    const { status, sent } = await streamUpload(t, [fileHead], { 'content-length': 10 ** 12 })
    expect(status).toBe(413)
    expect(sent).toBe(fileHead.length)
  })

  it.each([
    ['a text field', `--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n`],
    ['a file in another field', fileHead.replace('"file"', '"other"')],
    ['a part header', `--${boundary}\r\nX-A: `],
    ['data before the first part', ''],
    ['data after the last part', `${formOf([]).toString()}`],
  ])('answers 4xx to endless %s', async (_name, head) => {
    const { status, sent } = await streamUpload(t, forever(head, megabyte))
    expect([400, 413]).toContain(status)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('lets the client read its 413, with and without keep-alive', async () => {
    const large = formOf([file('file', Buffer.alloc(9 * 1024 * 1024))])
    const pieces = Array.from({ length: 90 }, (_, at) =>
      large.subarray(at * 100_000, (at + 1) * 100_000 + (at === 89 ? large.length : 0)),
    )
    for (let round = 0; round < 20; round++) {
      expect((await streamUpload(t, pieces, {}, round % 2 === 0)).status).toBe(413)
      expect((await streamUpload(t, pieces, { 'content-length': large.length }, round % 2 === 0)).status).toBe(413)
    }
  })

  it('answers 408 to a file that does not arrive in time', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    app.setErrorHandler(answerError)
    await acceptFileForms(app, (forms) => {
      forms.post('/', async (request) => (await receiveFile(request, { maxBytes, withinMs: 50 })).length)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\nContent-Type: ${formHeaders['content-type']}\r\n\r\n`,
    )
    socket.write(fileHead)
    const [answer] = await once(socket, 'data')
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*request_timeout/)
    socket.destroy()
  })

  it('closes a connection that keeps sending after its refusal', async () => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const closed = new Promise((ok) => socket.once('close', ok).on('error', () => {}))
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${t.adminKey}\r\nTransfer-Encoding: chunked\r\n`
    socket.write(`${head}Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`)
    const chunk = (piece: Buffer | string) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), Buffer.from('\r\n')])
    let sent = 0
    for (const piece of forever(fileHead, megabyte)) {
      if (socket.destroyed || sent > 200 * 1024 * 1024) break
      sent += piece.length
      if (!socket.write(chunk(piece))) await Promise.race([new Promise((ok) => socket.once('drain', ok)), closed])
    }
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(sent).toBeLessThan(60 * 1024 * 1024)
  })
})
