import { noteDatabaseError } from '../errors-seen.ts'

/** An error as one thread sends it to another: an Error would lose its code on the way. */
export interface ThreadFailure {
  readonly message: string
  readonly code: string
}

export function toThreadFailure(error: unknown): ThreadFailure {
  const { message, code = '' } = error as { message: string; code?: string }
  return { message, code }
}

/** The error that a failure stands for, counted. */
export function fromThreadFailure({ message, code }: ThreadFailure): Error {
  const error = Object.assign(new Error(message), { code })
  noteDatabaseError(error)
  return error
}
