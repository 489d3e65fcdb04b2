import { availableParallelism } from 'node:os'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import type { Config } from '../../config.ts'
import { checkConfirmation, type DraftFields } from '../../core/draft.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { defineErrors, errors, type ServiceError } from '../../core/errors.ts'
import { createFairQueue, type QueuePlace } from '../../core/fair-queue.ts'
import { createSlots } from '../../core/slots.ts'
import { canonicalName } from '../../core/text.ts'
import { createThread } from '../../core/thread.ts'
import { putHashingInBackground } from './background-threads.ts'
import { isBreached } from './breached-passwords.ts'
import { shortestCommon } from './common-passwords.ts'
import { isAcceptedHash, isForeignHash, verifyForeignHash } from './foreign-hashes.ts'
import type { judge } from './judge.ts'
import { namesAround, type PasswordOwner } from './password-names.ts'

/** `Algorithm.Argon2id`: the package's constant is a type only. */
const argon2id = 2
/**
 * The cost of a new hash: Argon2id, 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). No setting changes it.
 * Only `testing/app.ts` lowers it, because tests hash thousands of passwords.
 */
export const hashingCost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing runs on other threads, one for each core, at a lower priority than the event loop (decision 0015). Node has four
 * such threads, which also read and write files: one is always left for that.
 */
const slots = Math.min(availableParallelism(), 3)
export const passwordErrors = defineErrors({
  overloaded: [503, 'Too many passwords are being checked at the moment. Please try again.'],
  password_too_easy: [422, 'This password is too easy to guess.'],
  password_breached: [422, 'This password was in a data breach. Choose one that you use nowhere else.'],
  password_too_common: [422, 'This password is too common.'],
  password_is_account_name: [422, 'The password must not be the email address or the username.'],
})

/** What an attacker can try online within weeks (zxcvbn's score 2 begins here). */
const leastGuesses = 1e6

const withFreeSlot = createSlots(slots)

/**
 * The queue for a hashing slot. It admits slightly more than there are slots, so that none is idle while the next in the
 * queue is counted in the database. Beyond this length an answer would come too late to be useful.
 */
export const inPlace = createFairQueue({ parallel: slots + 2, strangers: 128, familiar: 64 }, passwordErrors.overloaded)

/** The queue of a user who has already authenticated with another credential; null for the system itself. A flood of one delays no other. */
export const userPlace = (userId: number | null): QueuePlace => ({
  path: ['inside', `user ${userId}`, 'inside'],
  isFamiliar: true,
})
const systemPlace = userPlace(null)

let isInBackground = false

const withSlot = <T>(work: () => Promise<T>): Promise<T> =>
  withFreeSlot(() => {
    const result = work()
    // Not earlier: the first task creates the threads.
    if (!isInBackground) isInBackground = putHashingInBackground()
    return result
  })

/**
 * Argon2id in PHC string format with a random salt, of the password in NFC (keyboards differ in how they compose
 * characters). Anonymous callers wait in the `place` of their network; throws 503 if the queue is full.
 */
export const hashPassword = (password: string, place: QueuePlace = systemPlace): Promise<string> =>
  inPlace(place, () => withSlot(() => hash(password.normalize('NFC'), hashingCost)))

/** Argon2id of a text with a given salt, so that it can be looked up by its hash. It waits in the same queue as passwords. */
export const hashWithSalt = (text: string, salt: Buffer, place: QueuePlace): Promise<Buffer> =>
  inPlace(place, () => withSlot(() => hashRaw(text, { ...hashingCost, salt })))

/** True if the hash is of the password in NFC, or as it was typed, which is what 0.1.0 hashed. */
async function matches(passwordHash: string, password: string): Promise<boolean> {
  const composed = password.normalize('NFC')
  const compare = isForeignHash(passwordHash) ? verifyForeignHash : verify
  const isSame = (text: string) => compare(passwordHash, text).catch(() => false) // an invalid hash matches nothing
  return (await isSame(composed)) || (composed !== password && (await isSame(password)))
}

/** True if the password matches the hash. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  inPlace(systemPlace, () => verifyInPlace(passwordHash, password))

/** True for a hash with the algorithm and the cost of new ones. */
function isOurs(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = hashingCost
  return passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

/**
 * The new hash for a verified password whose hash is not of the NFC form, or was made by other software or at another cost;
 * undefined if nothing has to change.
 */
export async function renewedHash(passwordHash: string, password: string): Promise<string | undefined> {
  const composed = password.normalize('NFC')
  const isNormal = composed === password || (await verifyPassword(passwordHash, composed))
  if (isNormal && isOurs(passwordHash)) return undefined
  return hashPassword(composed)
}

/** A hash that belongs to nobody. It is made again where the cost of hashing has changed. */
let pretended = ''

/**
 * True if the password matches the hash, for callers who already have a slot. Without a hash, or with one that
 * nobody may sign in with, it takes as long and returns false, so that timing does not reveal who has an account.
 */
export async function verifyInPlace(passwordHash: string | undefined, password: string): Promise<boolean> {
  const known = passwordHash !== undefined && isAcceptedHash(passwordHash) ? passwordHash : undefined
  const isRight = await withSlot(async () => {
    if (!isOurs(pretended)) pretended = await hash('nobody has this password', hashingCost)
    return matches(known ?? pretended, password)
  })
  return isRight && known !== undefined
}

/**
 * False, after as long as `verifyInPlace` takes. It compares another password: the right one in an unusual spelling would
 * otherwise be found at the second try or the first, which the time would tell.
 */
export async function pretendInPlace(passwordHash: string | undefined, password: string): Promise<false> {
  await verifyInPlace(passwordHash, `not ${password}`)
  return false
}

export interface PasswordFields {
  password?: string
  password_confirmation?: string
}

/** All apps of the process share the thread. */
const judgeInThread = createThread<typeof judge>(
  new URL('./judge.ts', import.meta.url),
  'judge',
  passwordErrors.overloaded,
)

/** Its queue: to judge a long password can take 100 ms, and anybody can ask for it. */
const judgeInPlace = createFairQueue({ parallel: 1, strangers: 128, familiar: 64 }, passwordErrors.overloaded)

/** Each draft is checked more than once, also in the transaction, so the verdicts of the thread and the file are cached with it. */
const verdicts = new WeakMap<object, { question: string; refusal: Promise<ServiceError | undefined> }>()

/** Where a caller waits for the verdict; the system, and transactions, which have it already, need no place. */
interface Asking {
  readonly config: Config
  readonly place?: QueuePlace
}

/** Why a confirmed and long enough password is refused: an attacker would guess it quickly. */
async function findWeakness(
  { config, place = systemPlace }: Asking,
  password: string,
  names: string[],
): Promise<ServiceError | undefined> {
  const question = { password: password.normalize('NFC'), names, enough: leastGuesses }
  const { isCommon, guesses, reason } = await judgeInPlace(place, () => judgeInThread(question))
  if (isCommon) return passwordErrors.password_too_common()
  if (guesses < leastGuesses) {
    return passwordErrors.password_too_easy(`This password is too easy to guess.${reason === null ? '' : ` ${reason}`}`)
  }
  if (config.breachedPasswords === null) return undefined
  const isLeaked = await isBreached(config.breachedPasswords, password).catch((cause) => {
    throw Object.assign(errors.unavailable(), { cause })
  })
  return isLeaked ? passwordErrors.password_breached() : undefined
}

function findWeaknessOnce(
  asking: Asking,
  draft: object,
  password: string,
  names: string[],
): Promise<ServiceError | undefined> {
  const question = JSON.stringify([password, names])
  const known = verdicts.get(draft)
  if (known?.question === question) return known.refusal
  const refusal = findWeakness(asking, password, names)
  verdicts.set(draft, { question, refusal })
  return refusal
}

/**
 * The rules for every new password: confirmed, long enough (in code points of its NFC form), not the account's own name, not
 * common, hard to guess, and not in the file of breached passwords (OWASP ASVS 6.2.4, 6.2.11, 6.2.12).
 */
export async function checkPassword(
  asking: Asking,
  draft: DraftFields<PasswordFields>,
  account: PasswordOwner,
  minLength = 8,
): Promise<void> {
  const { password } = draft.given
  if (password === undefined) return
  checkConfirmation(draft, 'password', draft.given)
  if ([...password.normalize('NFC')].length < minLength) {
    draft.reject('password', `The password field must be at least ${minLength} characters.`)
  }
  const own = findOwnName(password, account)
  if (own !== undefined) draft.reject('password', own)
  else if ([...password.normalize('NFC')].length >= shortestCommon) {
    const weakness = await findWeaknessOnce(asking, draft, password, namesAround(account, asking.config))
    if (weakness !== undefined) draft.reject('password', weakness)
  }
}

function findOwnName(password: string, { email, username }: PasswordOwner): ServiceError | undefined {
  const { password_is_account_name: refusal } = passwordErrors
  const isEmail = email != null && [canonicalEmail, canonicalName].some((form) => form(password) === form(email))
  if (isEmail) return refusal('The password must not be the email address.')
  const isUsername = username != null && canonicalName(password) === canonicalName(username)
  return isUsername ? refusal('The password must not be the username.') : undefined
}
