import type { Actor } from './context.ts'
import { errors } from './errors.ts'

/** The user whom the credential represents; throws `not_found` for the command line, which has no user. */
export function ownId(actor: Actor): number {
  if (actor.userId === null) throw errors.not_found()
  return actor.userId
}
