import { useQuery } from '@tanstack/react-query'
import { call } from '../data-provider.ts'

/** Long work that runs in the background. */
export interface Job {
  readonly id: number
  readonly type: 'users.import' | 'users.bulk' | 'users.undo'
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly dry_run: boolean
  readonly total: number | null
  readonly done: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
  readonly action: string | null
  readonly message: string | null
  readonly can_undo: boolean
  readonly created_by: number | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

const deeds: Readonly<Record<string, string>> = {
  ban: 'Ban of users',
  activate: 'Activation of users',
  delete: 'Deletion of users',
  set_role: 'Change of roles',
  end_sessions: 'End of sessions',
  send_password_reset: 'Password reset mails',
  resend_confirmation: 'Confirmation mails',
}

/** “Import of users”, “Ban of users”. */
export function titleOf({ type, action, dry_run }: Pick<Job, 'type' | 'action' | 'dry_run'>): string {
  if (type === 'users.import') return dry_run ? 'Dry run of an import' : 'Import of users'
  return type === 'users.undo' ? 'Undo' : (deeds[action ?? ''] ?? 'Change of users')
}

export const isOver = ({ status }: Pick<Job, 'status'>): boolean => status !== 'queued' && status !== 'running'

export const statusNames: Readonly<Record<Job['status'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const everyMs = 1_000

export const fetchJob = (id: number): Promise<Job> => call<{ data: Job }>('GET', `/jobs/${id}`).then(({ data }) => data)

/** The job as it is now, until it is over. */
export const useJob = (id: number | undefined) =>
  useQuery({
    queryKey: ['jobs', 'progress', id],
    queryFn: () => fetchJob(id ?? 0),
    enabled: id !== undefined,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : everyMs),
  })

/** Resolves with the job once it is over. */
export async function untilOver(id: number): Promise<Job> {
  for (;;) {
    const job = await fetchJob(id)
    if (isOver(job)) return job
    await new Promise((next) => setTimeout(next, everyMs))
  }
}
