import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { silentLog } from '../core/context.ts'
import type { Outgoing } from '../outbox/message.ts'
import { createTransports } from './transports.ts'

it.each([
  ['the link of a mail that has others before it', { link: 'http://gatehouse.test/x/reset-password#token=abc' }],
  ['nothing else', {}],
])('a line of the log has %s', async (_, expected) => {
  const lines: object[] = []
  const log = { ...silentLog, info: (details: object) => lines.push(details) }
  const config = parseConfig({ GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test/x' })
  const text = ['![i](https://elsewhere.test/i.png)', ...Object.values(expected)].join(' and ')
  const message = { kind: 'mail', template: 'news', recipient: 'ada@example.com', text } as Outgoing
  expect(await createTransports(config, log).mail.send(message)).toBe('captured')
  expect(lines).toEqual([{ kind: 'mail', template: 'news', to: 'ada@example.com', ...expected }])
})
