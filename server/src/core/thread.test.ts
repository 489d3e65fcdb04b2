import { threadId } from 'node:worker_threads'
import { describe, expect, inject, it } from 'vitest'
import type * as fixture from './thread.fixture.ts'
import { createThread } from './thread.ts'

const module = new URL('./thread.fixture.ts', import.meta.url)
const refuse = () => new Error('refused')

// No database is involved, so one run is enough.
describe.runIf(inject('postgresUrl') === null)('a function in a thread', () => {
  it('answers in turn, from another thread, which stays', async () => {
    const tell = createThread<typeof fixture.tell>(module, 'tell', refuse)
    const answers = await Promise.all(['one', 'two', 'three'].map(tell))
    expect(answers.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect(new Set(answers.map((answer) => answer.threadId)).size).toBe(1)
    expect(answers[0]?.threadId).not.toBe(threadId)
  })

  it('is refused, with the cause, where it throws or the thread ends; the next call has a new thread', async () => {
    const failWith = createThread<typeof fixture.failWith>(module, 'failWith', refuse)
    for (const message of ['one', 'two']) {
      const error = await failWith(message).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ message: 'refused', cause: { message: expect.stringContaining(message) } })
    }
    const end = createThread<typeof fixture.end>(module, 'end', refuse)
    await expect(end(0)).rejects.toThrow('refused')
    const missing = createThread<typeof fixture.tell>(module, 'missing', refuse)
    await expect(missing('')).rejects.toMatchObject({ cause: { message: expect.stringContaining('no "missing"') } })
  })

  it('is refused where too many wait', async () => {
    const tell = createThread<typeof fixture.tell>(module, 'tell', refuse)
    const answers = await Promise.allSettled(Array.from({ length: 140 }, (_, nth) => tell(String(nth))))
    const refused = answers.flatMap(({ status }, nth) => (status === 'rejected' ? [nth] : []))
    expect(refused).toEqual(Array.from({ length: 11 }, (_, nth) => nth + 129))
  })
})
