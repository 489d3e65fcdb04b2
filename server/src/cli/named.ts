import { errors, ServiceError } from '../core/errors.ts'

/** What `work` gives. If it finds nothing, the error says what is not there, which the API's `Resource not found.` leaves out. */
export const named = <T>(what: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'not_found' ? errors.not_found(`There is no ${what}.`) : error
  })
