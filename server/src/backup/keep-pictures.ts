import { randomUUID } from 'node:crypto'
import type { Context } from '../core/context.ts'
import { endKeepingPictures, keepPicturesUntil } from '../db/installation.ts'

/** How long pictures are kept after the last sign of life of a backup. */
const keepMs = 60_000
const renewMs = 20_000
/** The marks of killed backups are removed after this time: clocks of nodes may differ. */
const forgetMs = 24 * 3_600_000

/** Keeps the service from removing pictures that a snapshot refers to, until the returned function is called. */
export async function keepPictures({ unguarded, log, clock }: Context): Promise<() => Promise<void>> {
  const backup = randomUUID()
  const keep = () => keepPicturesUntil(unguarded, backup, clock().getTime() + keepMs)
  await keep()
  let renewing: Promise<void> | undefined
  const timer = setInterval(() => {
    renewing = keep().catch((err) => log.warn({ err }, 'pictures may be removed during the backup'))
  }, renewMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing // else it could set the mark again
    await endKeepingPictures(unguarded, backup, clock().getTime() - forgetMs)
  }
}
