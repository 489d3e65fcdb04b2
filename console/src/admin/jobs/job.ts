import type { components } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import type { Tone } from '../components/Tag.tsx'
import { call } from '../data-provider.ts'

/** Long work that runs in the background. */
export type Job = components['schemas']['Job']

const actions: Readonly<Record<string, { title: string; done: string }>> = {
  ban: { title: 'Ban of users', done: 'banned' },
  activate: { title: 'Activation of users', done: 'activated' },
  delete: { title: 'Deletion of users', done: 'deleted' },
  set_role: { title: 'Change of roles', done: 'changed' },
  end_sessions: { title: 'End of sessions', done: 'signed out' },
  send_password_reset: { title: 'Password reset mails', done: 'mailed' },
  resend_confirmation: { title: 'Confirmation mails', done: 'mailed' },
}

/** “Import of users”, “Ban of users”. */
export function titleOf({ type, action, dry_run }: Pick<Job, 'type' | 'action' | 'dry_run'>): string {
  if (type === 'users.import') return dry_run ? 'Dry run of an import' : 'Import of users'
  return type === 'users.undo' ? 'Undo' : (actions[action ?? '']?.title ?? 'Change of users')
}

/** What a job counts, each with its name: what it did, or would do. */
export function countsOf(job: Job): readonly (readonly [name: string, count: number])[] {
  const { type, action, dry_run, created, updated, skipped, failed } = job
  if (type !== 'users.import') {
    return [
      [type === 'users.undo' ? 'taken back' : (actions[action ?? '']?.done ?? 'changed'), updated],
      ['left as they are', skipped],
    ]
  }
  const names = dry_run ? ['to create', 'to change', 'to leave out'] : ['created', 'changed', 'left out']
  return [
    [names[0] ?? '', created],
    [names[1] ?? '', updated],
    [names[2] ?? '', skipped],
    ['with errors', failed],
  ]
}

export const isOver = ({ status }: Pick<Job, 'status'>): boolean => status !== 'queued' && status !== 'running'
export const isUnderWay = (job: Pick<Job, 'status'>): boolean => !isOver(job)

export const statuses: Readonly<Record<Job['status'], { name: string; tone: Tone }>> = {
  queued: { name: 'Waiting', tone: 'warning' },
  running: { name: 'Running', tone: 'accent' },
  done: { name: 'Done', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  cancelled: { name: 'Stopped', tone: 'plain' },
}

const everyMs = 1_000

const fetchJob = (id: number): Promise<Job> => call<{ data: Job }>('GET', `/jobs/${id}`).then(({ data }) => data)

/** The current state of a job, fetched again until it has ended; `sent` is what is known of a new one. */
export const useJob = (id: number | undefined, sent?: Job) =>
  useQuery({
    queryKey: ['jobs', 'progress', id],
    queryFn: () => fetchJob(id ?? 0),
    enabled: id !== undefined,
    initialData: sent,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : everyMs),
  })

/** Resolves with the job once it has ended. */
export async function untilOver(id: number): Promise<Job> {
  for (;;) {
    const job = await fetchJob(id)
    if (isOver(job)) return job
    await new Promise((next) => setTimeout(next, everyMs))
  }
}
