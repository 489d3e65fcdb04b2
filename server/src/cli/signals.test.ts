import { expect, it } from 'vitest'
import { removeIfStopped } from './signals.ts'

const listeners = () => ['SIGHUP', 'SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal))

it('listens for signals only while the work runs', async () => {
  const before = listeners()
  const during = removeIfStopped(['/nothing/here'], async () => {
    expect(listeners()).toEqual(before.map((count) => count + 1))
    throw new Error('failed')
  })
  await expect(during).rejects.toThrow('failed')
  expect(listeners()).toEqual(before)
})
