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
})
