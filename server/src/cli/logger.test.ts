import { describe, expect, it } from 'vitest'
import { toLoggedError } from './logger.ts'

describe('an error in the log', () => {
  it('has its type, message, code and stack, without the values that a database adds', () => {
    const error = Object.assign(new TypeError('duplicate key value violates unique constraint "users_email"'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com) already exists.',
      where: 'secret',
      parameters: ['secret'],
    })
    expect(toLoggedError(error)).toEqual({
      type: 'TypeError',
      message: error.message,
      code: '23505',
      stack: error.stack,
    })
    expect(toLoggedError('only text')).toBe('only text')
  })

  it('has what caused it, in one line, and nothing else of the causes', () => {
    const tries = new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:1'), new Error('another')])
    const secret = Object.assign(new TypeError('fetch\nfailed', { cause: tries }), { headers: 'secret' })
    const error = new Error('The storage cannot be used.', { cause: secret })
    expect(toLoggedError(error)).toEqual({
      type: 'Error',
      message: error.message,
      cause: 'fetch failed: connect ECONNREFUSED 127.0.0.1:1',
      stack: error.stack,
    })
    const circle = new Error('a circle')
    circle.cause = circle
    expect(toLoggedError(circle)).toMatchObject({ cause: expect.stringMatching(/^a circle(: a circle){1,9}$/) })
  })
})
