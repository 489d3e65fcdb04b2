/** An error as one thread sends it to another: an Error would lose its code on the way. */
export interface ThreadFailure {
  readonly message: string
  readonly code: string
}

export function toThreadFailure(error: unknown): ThreadFailure {
  const { message, code = '' } = error as { message: string; code?: string }
  return { message, code }
}

/** The error that a failure stands for. */
export const fromThreadFailure = ({ message, code }: ThreadFailure): Error =>
  Object.assign(new Error(message), { code })
