import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { isUnavailable } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { createHosts } from './hosts.ts'
import { createPipeline } from './pipeline.ts'

const postgresUrl = inject('postgresUrl')

/** A message of PostgreSQL's protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, content: string | Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + content.length)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)])
}

it('a connection that the server ends with the answer to its start is an error, and does not end the process', async () => {
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  })
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        const welcome = [message('R', Buffer.alloc(4)), message('Z', 'I')]
        const ended = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
        socket.end(Buffer.concat([...welcome, ended]))
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const url = `postgres://postgres@127.0.0.1:${port}/gatehouse`
  const db = openDatabase({ kind: 'postgres', url }, () => {})
  const failure = await sql`select 1`.execute(db).catch((error: unknown) => error)
  await db.destroy()
  server.close()
  await once(server, 'close')
  expect({ isUnavailable: isUnavailable(failure), uncaught }).toEqual({ isUnavailable: true, uncaught: [] })
})

describe.skipIf(postgresUrl === null)('reads that share a connection', () => {
  it('all get another one when the server is left that it was made to', async () => {
    const hosts = createHosts(String(postgresUrl))
    const pipeline = createPipeline({}, hosts)
    onTestFinished(() => pipeline.end())
    const read = async () => (await pipeline.query({ text: 'select 1 as one' })).rows
    await read()
    hosts.leave(hosts.current(), hosts.generation(), 'unreachable')
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill([{ one: 1 }]))
  })
})
