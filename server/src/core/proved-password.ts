import type { Actor } from './context.ts'
import { defineErrors, failedAt, type ServiceError } from './errors.ts'

const currentPasswordErrors = defineErrors({
  current_password_wrong: [422, 'The current password is not right.'],
})

export const { current_password_wrong: wrongCurrentPassword } = currentPasswordErrors

/** The hash of the password that the actor of a request gave, or of the account's where none was needed. */
const proved = new WeakMap<Actor, string>()

/**
 * Notes that the actor of a request proved their own account. Every transaction of theirs from then on checks that the account
 * still has this hash: meanwhile its owner or an administrator may have changed the password.
 */
export const noteProof = (actor: Actor, passwordHash: string): void => {
  proved.set(actor, passwordHash)
}

/** The hash that the actor's account had when they proved that it is theirs; undefined if they did not. */
export const findProof = (actor: Actor): string | undefined => proved.get(actor)

/** The refusal of a proof that is none any more. */
export const proofIsOver = (): ServiceError => failedAt('current_password', wrongCurrentPassword())
