import type { Identifier } from 'react-admin'
import { call } from '../../data-provider.ts'
import type { User } from '../../session.ts'
import type { UserChange } from '../undo.ts'

/** Gives a user another status or role; resolves with how to take it back, or undefined where nothing changed. */
export const changeOf =
  (field: UserChange['field'], after: string | number, more: object = {}) =>
  async (id: Identifier): Promise<UserChange | undefined> => {
    const { data: user } = await call<{ data: User }>('GET', `/users/${id}`)
    await call('PATCH', `/users/${id}`, { body: { [field]: after, ...more } })
    const before = user[field]
    return before === after ? undefined : { id, field, before, after }
  }
