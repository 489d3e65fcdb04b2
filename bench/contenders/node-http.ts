import { createServer } from 'node:http'

/** The limit of this machine and of the load generator: one fixed answer of the length of a user's. */
const { port, body } = JSON.parse(process.argv[2] ?? '{}') as { port: number; body: string }
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
