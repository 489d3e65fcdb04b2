import { useQueryClient } from '@tanstack/react-query'
import type { HttpError, Identifier } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { call, eachOf } from '../data-provider.ts'
import type { Undo } from '../layout/Toast.tsx'
import type { User } from '../session.ts'

/** A change of one field of one user, which can be taken back. */
export interface UserChange {
  readonly id: Identifier
  readonly field: 'status' | 'role_id'
  readonly before: string | number
  readonly after: string | number
}

/** Rejects where somebody has changed the field again: their change stays. */
async function takeBack({ id, field, before, after }: UserChange): Promise<void> {
  const { data } = await call<{ data: User }>('GET', `/users/${id}`).catch((error: HttpError) => {
    throw error.status === 404 ? new Error('The account no longer exists.') : error
  })
  if (data[field] !== after) throw new Error(`${nameOf(data)} was changed again meanwhile.`)
  await call('PATCH', `/users/${id}`, { body: { [field]: before } })
}

/** An undo of changes of users, which says `done` when all were taken back. */
export function useUndo(): (changes: readonly UserChange[], done: string, label?: string) => Undo {
  const client = useQueryClient()
  return (changes, done, label) => ({
    ...(label === undefined ? {} : { label }),
    run: async () => {
      const failures: Error[] = []
      await eachOf(changes, (change) => takeBack(change).catch((error: Error) => failures.push(error)))
      await client.invalidateQueries({ queryKey: ['users'] })
      const [first] = failures
      if (first === undefined) return done
      const which = changes.length === 1 ? 'This' : `${failures.length} of ${changes.length}`
      throw new Error(`${which} could not be undone. ${first.message}`)
    },
  })
}
