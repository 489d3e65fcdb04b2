import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isServerBack, recover } from '../connection.ts'
import { isWriting, wasDeleted } from '../data-provider.ts'
import { getSession, refreshSession, untilStaying } from '../session.ts'
import { signInAgain } from '../sign-in-again.ts'
import { listen, type Message } from './listen.ts'

/** The shortest time between two refreshes. */
const pauseMs = 2_000
const soonMs = 100
/** An answer that takes longer is not waited for. */
const longestMs = 15_000
/** Frequent, and of a user only the time of the last sign-in changes. */
const unimportant = /^user\.sign(ed_in|_in_failed|_ins_limited)$/

const resources: Readonly<Record<string, string>> = { delivery: 'deliveries', session: 'users', settings: 'settings' }

/** `api_key` → `api-keys`. */
const resourceOf = (type: string): string => resources[type] ?? `${type.replaceAll('_', '-')}s`

/** Deleted records are not requested. A form that is filled again keeps what is typed. */
function mayLoadAgain({ queryKey: [resource, , of] }: Query): boolean {
  const id = (of as { id?: unknown } | undefined)?.id ?? of // `{ id }` in react-admin's keys, the id itself in ours
  return !wasDeleted(resource, id)
}

const wait = (ms: number) => new Promise((next) => setTimeout(next, ms))

/** Loads again what is shown of the things that changed. */
function createRefresher(client: QueryClient) {
  const changed = new Set<string>()
  let isRunning = false
  let isStopped = false
  const run = async () => {
    isRunning = true
    await wait(soonMs)
    while (changed.size > 0 && !isStopped) {
      if (isWriting()) {
        await wait(soonMs) // do not request a user who is being deleted
        continue
      }
      const resources = new Set(changed)
      changed.clear()
      const predicate = (query: Query) => resources.has(String(query.queryKey[0])) && mayLoadAgain(query)
      // The next refresh cancels the requests of this one. If answers are slow and changes frequent, none would ever arrive.
      await Promise.all([wait(pauseMs), Promise.race([client.invalidateQueries({ predicate }), wait(longestMs)])])
    }
    isRunning = false
  }
  return {
    add: (...names: readonly string[]) => {
      for (const name of names) changed.add(name)
      if (!isRunning) run()
    },
    stop: () => {
      isStopped = true
    },
  }
}

/** Whether an event may change the name or the permissions of the signed-in user. */
function isAboutOneself({ event, subject: { type, id } }: Message): boolean {
  const { user } = getSession()
  if (type === 'user') return id === user.id && event !== 'user.sessions_ended' && !unimportant.test(event)
  return (type === 'role' && id === user.role_id) || event === 'permission.deleted'
}

/** Keeps what is shown up to date while others act. One connection for each tab. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresher = createRefresher(client)
    const end = listen({
      onMessage: (message) => {
        const { event, subject } = message
        const changed = ['activity', ...(unimportant.test(event) ? [] : [resourceOf(subject.type), 'stats'])]
        if (event === 'role.deleted') changed.push('users') // they have another role now
        if (!isAboutOneself(message)) return refresher.add(...changed)
        // Permissions come first: what is no longer allowed is not requested. Signed out: the stream says so, too.
        refreshSession()
          .catch(() => {})
          .then(() => refresher.add(...changed))
      },
      onJob: () => refresher.add('jobs'),
      onReset: () => {
        client.invalidateQueries({ predicate: mayLoadAgain })
        refreshSession().catch(() => {})
      },
      onFailure: async () => {
        if (!(await isServerBack())) recover(client)
      },
      onSignedOut: () => untilStaying().then(signInAgain),
    })
    return () => {
      end()
      refresher.stop()
    }
  }, [client])
}
