/** Every message of a failing field, by field. */
export type FieldMessages = Record<string, string[]>

interface MoreOfError {
  fields?: FieldMessages
  retryAfterSeconds?: number
  limit?: number
  count?: number
}

/**
 * An error that the caller may read. Services refuse a request only in this way. `code` is stable and documented; `status`
 * is the HTTP status of the answer.
 */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: FieldMessages | undefined
  /** When to retry, if known. */
  readonly retryAfterSeconds: number | undefined
  /** What a window allows, where nothing of it is left. */
  readonly limit: number | undefined
  /** A number that the answer carries for programs. */
  readonly count: number | undefined

  constructor(code: string, status: number, message: string, more: MoreOfError = {}) {
    super(message)
    this.code = code
    this.status = status
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
    this.limit = more.limit
    this.count = more.count
  }
}

/** Makes a declared error, with its own message unless another is given. */
type ErrorFactory = (message?: string, more?: MoreOfError) => ServiceError
type ErrorTable = Record<string, readonly [status: number, message: string]>

/** All declared errors, for the documentation. */
export const errorCatalogue = new Map<string, readonly [status: number, message: string]>()

/** Declares a feature's errors: `defineErrors({ user_last_admin: [403, '…'] })` gives `errors.user_last_admin()`. */
export function defineErrors<T extends ErrorTable>(table: T): { readonly [K in keyof T]: ErrorFactory } {
  const factories = {} as { [K in keyof T]: ErrorFactory }
  for (const code of Object.keys(table) as (keyof T & string)[]) {
    const [status, message] = table[code] as readonly [number, string]
    if (errorCatalogue.has(code)) throw new Error(`the error ${code} is declared twice`)
    errorCatalogue.set(code, [status, message])
    factories[code] = (special, more) => new ServiceError(code, status, special ?? message, more)
  }
  return factories
}

/** The errors that belong to no single feature. */
export const errors = defineErrors({
  unauthenticated: [401, 'Unauthenticated.'],
  forbidden: [403, 'You may not do this.'],
  not_found: [404, 'Resource not found.'],
  malformed_request: [400, 'The request is malformed.'],
  unknown_include: [400, 'Unknown include.'],
  unknown_sort: [400, 'Unknown sort.'],
  unknown_filter: [400, 'Unknown filter.'],
  invalid_cursor: [400, 'This cursor does not belong to this list, sort or filter.'],
  method_not_allowed: [405, 'This method is not allowed here.'],
  request_timeout: [408, 'The request body took too long to arrive.'],
  payload_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The request body must be JSON (Content-Type: application/json) or a form.'],
  validation_failed: [422, 'The given data was invalid.'],
  too_many_attempts: [429, 'Too Many Attempts.'],
  internal_error: [500, 'Something went wrong on the server.'],
  unavailable: [503, 'The service is not available at the moment. Please try again.'],
})

/** A refusal because of others' work, with the time after which another try makes sense. */
export const busyFor = (retryAfterSeconds: number, message?: string): ServiceError =>
  errors.unavailable(message, { retryAfterSeconds })

/** A used-up limit, with the time after which there is room again. */
export const tooManyAttempts = (retryAfterSeconds: number, limit: number): ServiceError =>
  errors.too_many_attempts(undefined, { retryAfterSeconds, limit })

/** A 422 that names every failing field. `code` is special if only one rule failed. */
export const validationFailed = (fields: FieldMessages, code = 'validation_failed'): ServiceError =>
  new ServiceError(code, 422, errors.validation_failed().message, { fields })

/** A declared 422 whose message belongs to one field. */
export const failedAt = (field: string, { message, code }: ServiceError): ServiceError =>
  validationFailed({ [field]: [message] }, code)
