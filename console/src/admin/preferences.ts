import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HttpError } from 'react-admin'
import { call } from './data-provider.ts'

/** What the server keeps for the signed-in user: one JSON object, shared by everything that remembers something. */
type Preferences = Readonly<Record<string, unknown>>

const queryKey = ['me', 'preferences']
const path = '/me/preferences'

const read = async (): Promise<Preferences> => (await call<{ data: Preferences }>('GET', path)).data

let last: Promise<unknown> = Promise.resolve()

/** Changes one key and keeps what the server has for the others, one change after another. */
async function change(client: QueryClient, key: string, next: (before: unknown) => unknown): Promise<void> {
  const before = await read()
  const body = { ...before, [key]: next(before[key]) }
  await call('PUT', path, { body }).catch((error: HttpError) => {
    throw error.status === 413 ? new Error('There is no room for more. Delete something first.') : error
  })
  client.setQueryData(queryKey, body)
}

/** The value under a key, undefined until it is loaded or set, and a function that changes it. */
export function usePreference(key: string): {
  value: unknown
  isPending: boolean
  error: Error | null
  change: (next: (before: unknown) => unknown) => Promise<void>
} {
  const client = useQueryClient()
  const { data, isPending, error } = useQuery({ queryKey, queryFn: read, staleTime: 60_000 })
  return {
    value: data?.[key],
    isPending,
    error,
    change: (next) => {
      const turn = last.catch(() => {}).then(() => change(client, key, next))
      last = turn
      return turn
    },
  }
}
