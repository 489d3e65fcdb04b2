import { type HttpError, useNotify } from 'react-admin'
import { call } from '../data-provider.ts'
import type { User } from '../session.ts'
import { useChanged } from '../users/tab.ts'

type Values = Record<string, unknown>

/** Sends a form about oneself: what is wrong goes to its field. `true` once it is saved. */
export function useSave(user: User) {
  const notify = useNotify()
  const changed = useChanged(user)
  return async (path: string, body: Values, said: string): Promise<true | Values> => {
    try {
      await call('PATCH', path, { body })
    } catch (error) {
      const { body: answer, message } = error as HttpError
      if (answer?.errors !== undefined) return answer.errors as Values
      notify(message, { type: 'error' })
      return {}
    }
    notify(said, { type: 'success' })
    await changed()
    return true
  }
}
