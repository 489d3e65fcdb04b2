import { useQueryClient } from '@tanstack/react-query'
import { loadSession, type User, useSession } from '../session.ts'

/** What each tab of a user's page is given. */
export interface TabProps {
  readonly user: User
  /** Buttons that would be answered 403 are not shown. */
  readonly mayChange: boolean
  /** `/me` on the page of one's own account, where the current password is asked for; else `/users/{id}`. */
  readonly path?: string
}

/** Has everything that is shown of users asked for anew; one's own account in the bar, too. */
export function useChanged({ id }: Pick<User, 'id'>): () => Promise<void> {
  const client = useQueryClient()
  const session = useSession()
  return async () => {
    await client.invalidateQueries({ queryKey: ['users'] })
    if (id === session.user.id) await loadSession()
  }
}
