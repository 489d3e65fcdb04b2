import { fetchFile } from '../../fetch-file.ts'
import type { Job } from '../../jobs/job.ts'

export interface SendOptions {
  readonly dryRun: boolean
  readonly onConflict: string
  readonly invite: boolean
  readonly format: 'csv' | 'ndjson'
}

/** Sends the file; resolves with the job that imports it, rejects with what is wrong in words that can be shown. */
export async function sendFile(file: Blob, { dryRun, onConflict, invite, format }: SendOptions): Promise<Job> {
  const query = new URLSearchParams({ on_conflict: onConflict, ignore_unknown: '1' })
  if (dryRun) query.set('dry_run', '1')
  if (invite) query.set('notify', 'invite')
  const response = await fetchFile(`/users/import?${query}`, {
    method: 'POST',
    headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
    body: file,
  })
  return ((await response.json()) as { data: Job }).data
}
