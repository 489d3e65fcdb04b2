import { useQueryClient } from '@tanstack/react-query'
import { reloadSession, type User, useSession } from '../session.ts'

/** What each tab of a user's page is given. */
export interface TabProps {
  readonly user: User
  /** Buttons that would be answered 403 are not shown. */
  readonly mayChange: boolean
  /** `/me` on the user's own page, which asks for the current password; else `/users/{id}`. */
  readonly path?: string
}

/** What the tabs and the header of `/users/{id}` are given in addition. */
export interface PageProps extends TabProps {
  /** `useGoOn` of the page: it stays longer than a tab or a dialog. */
  readonly goOn: (path: string) => void
}

/** Reloads everything that is shown of users, also the current user in the bar. */
export function useChanged({ id }: Pick<User, 'id'>): () => Promise<void> {
  const client = useQueryClient()
  const session = useSession()
  return async () => {
    await client.invalidateQueries({ queryKey: ['users'] })
    if (id === session.user.id) await reloadSession()
  }
}
