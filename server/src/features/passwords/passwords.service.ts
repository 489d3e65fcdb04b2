import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Draft } from '../../core/draft.ts'
import { defineErrors } from '../../core/errors.ts'
import { createSlots } from '../../core/slots.ts'
import { canonicalEmail, canonicalName } from '../../core/text.ts'
import { putHashingInBackground } from './background-threads.ts'
import { isCommonPassword } from './common-passwords.ts'

/** `Algorithm.Argon2id`: the package's constant is a type only. */
const argon2id = 2
/** OWASP Password Storage Cheat Sheet: Argon2id, 19 MiB, two passes, one lane. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing runs on other threads, one for each core, of which the event loop takes what it needs first (decision 0007). Node has
 * four of them, which read and write files, too: one is always left to that.
 */
const slots = Math.min(availableParallelism(), 3)
/** Beyond so many in line an answer would come too late to be of use. */
const maxWaiting = 128

const passwordErrors = defineErrors({
  overloaded: [503, 'Too many passwords are being checked at the moment. Please try again.'],
  password_too_common: [422, 'This password is too common.'],
  password_is_account_name: [422, 'The password must not be the email address or the username.'],
})

const withFreeSlot = createSlots(slots, maxWaiting, passwordErrors.overloaded)

let isInBackground = false

const withSlot = <T>(work: () => Promise<T>): Promise<T> =>
  withFreeSlot(() => {
    const result = work()
    // Not sooner: the threads are made for the first work that there is.
    if (!isInBackground) isInBackground = putHashingInBackground()
    return result
  })

/** Argon2id in PHC string format, with a salt of its own. */
export const hashPassword = (password: string): Promise<string> => withSlot(() => hash(password, cost))

/** Whether the password is the one that was hashed. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  withSlot(() => verify(passwordHash, password).catch(() => false)) // what is no hash matches nothing

let pretended: Promise<string> | undefined

/** `verifyPassword`; without a hash it takes as long and is false, so that nobody learns by the clock who has an account. */
export async function verifyOrPretend(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await withSlot(async () => {
    // Made inside the slot: were it refused as overload, the refusal would be kept for ever, and for unknown names alone.
    pretended ??= hash('nobody has this password', cost)
    return verify(passwordHash ?? (await pretended), password).catch(() => false)
  })
  return matches && passwordHash !== undefined
}

export interface PasswordFields {
  password?: string
  password_confirmation?: string
}

/**
 * The rules of a password beyond its length, the same wherever one is set: confirmed, not common, and not the account's
 * own name (OWASP ASVS 6.2.4, 6.2.11).
 */
export function checkPassword(
  draft: Draft<PasswordFields>,
  account: { email?: string | null | undefined; username?: string | null | undefined },
  minLength = 8,
): void {
  const { password, password_confirmation } = draft.given
  if (password === undefined) return
  if (password_confirmation !== undefined && password_confirmation !== password) {
    draft.reject('password', 'The password field confirmation does not match.')
    draft.reject('password_confirmation', 'The password confirmation field must match password.')
  }
  if ([...password].length < minLength) {
    draft.reject('password', `The password field must be at least ${minLength} characters.`)
  }
  if (isCommonPassword(password)) draft.reject('password', passwordErrors.password_too_common())
  const name = canonicalName(password)
  if (account.email != null && canonicalEmail(password) === canonicalEmail(account.email)) {
    draft.reject('password', passwordErrors.password_is_account_name('The password must not be the email address.'))
  }
  if (account.username != null && name === canonicalName(account.username)) {
    draft.reject('password', passwordErrors.password_is_account_name('The password must not be the username.'))
  }
}
