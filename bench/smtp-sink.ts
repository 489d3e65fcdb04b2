import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * A mail server in a separate process that accepts everything and reports to its parent how much, or who got which mail. Its
 * work is not part of the measurement.
 */

const seen = new Set<string>()
let mails = 0

const server = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  logger: false,
  disabledCommands: ['STARTTLS'],
  onData: (stream, { envelope }, answer) => {
    let head = ''
    stream.on('data', (chunk: Buffer) => {
      if (head.length < 4_000) head += chunk.toString('latin1')
    })
    stream.on('end', () => {
      const id = /^Message-ID: (\S+)/im.exec(head)?.[1] ?? ''
      seen.add(`${envelope.rcptTo.map(({ address }) => address).join()} ${id}`)
      mails++
      answer()
    })
  },
})
server.on('error', () => {}) // a client that was killed
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }))
process.on('message', (asked) => process.send?.(asked === 'who' ? { who: [...seen] } : { mails, different: seen.size }))
process.on('disconnect', () => process.exit())
