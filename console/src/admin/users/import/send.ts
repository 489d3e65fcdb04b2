import { orCut, uploadFile } from '../../fetch-file.ts'
import type { Job } from '../../jobs/job.ts'

export interface SendOptions {
  readonly dryRun: boolean
  readonly onConflict: string
  readonly invite: boolean
  readonly format: 'csv' | 'ndjson'
  /** Differs for another file, or other columns. */
  readonly identity: string
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** Sends the file; resolves with the job that imports it, rejects with what is wrong in words that can be shown. */
export async function sendFile(file: Blob, options: SendOptions): Promise<Job> {
  const { dryRun, onConflict, invite, format, identity, signal, onProgress } = options
  const query = new URLSearchParams({ on_conflict: onConflict, ignore_unknown: '1' })
  if (dryRun) query.set('dry_run', '1')
  if (invite) query.set('notify', 'invite')
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  const response = await uploadFile(`/users/import?${query}`, { type, body: file, identity, signal, onProgress })
  return ((await orCut(response.json())) as { data: Job }).data
}
