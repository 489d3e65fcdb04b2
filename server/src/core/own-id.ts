import type { Actor } from './context.ts'
import { errors } from './errors.ts'

/** The user whom the credential stands for; throws `not_found` for the command line, which is nobody. */
export function ownId(actor: Actor): number {
  if (actor.userId === null) throw errors.not_found()
  return actor.userId
}
