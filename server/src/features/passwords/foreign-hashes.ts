import { createCipheriv, hash as digest, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'

/*
 * Hashes that other software made. They are accepted in an import, checked at the first sign-in, and then replaced. Each
 * format limits its cost: whoever writes the file must not choose how long the server computes. Each also limits the length
 * of its key: one of no byte would match every password, one of a byte one password in 256.
 */

const mib = 1024 * 1024
const maxMemory = 256 * mib
const maxPbkdf2Rounds = 5_000_000
const maxBcryptCost = 15
const maxPhpassLog2 = 18
const maxPasses = 64

const base64 = '[A-Za-z0-9+/._-]+={0,2}'
/** What the library that verifies Argon2 can read. */
const bareBase64 = '[A-Za-z0-9+/]+'
const forms = {
  argon2: new RegExp(
    String.raw`^\$argon2(?:id|i|d)\$(?:v=\d+\$)?m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,4})\$(?<salt>${bareBase64})\$(?<key>${bareBase64})$`,
  ),
  scrypt: new RegExp(
    String.raw`^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$(?<salt>${base64})\$(?<key>${base64})$`,
  ),
  bcrypt: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
  pbkdf2: new RegExp(
    String.raw`^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,9})(?:,l=(\d{1,3}))?\$(?<salt>${base64})\$(?<key>${base64})$`,
  ),
  django: /^pbkdf2_(sha1|sha256)\$(\d{1,9})\$([^$]{1,128})\$(?<key>[A-Za-z0-9+/]+={0,2})$/,
  phpass: /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])$/,
  firebase: new RegExp(
    String.raw`^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,3})\$(?<signer>${base64})\$(?<separator>${base64})\$(?<salt>${base64})\$(?<key>${base64})$`,
  ),
} as const

/** The least and the most bytes of the parts in base64. Software writes keys of 16 to 64 bytes. */
const lengths: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  argon2: { salt: [8, 64], key: [10, 64] },
  scrypt: { salt: [1, 512], key: [10, 64] },
  pbkdf2: { salt: [1, 512], key: [10, 64] },
  django: { key: [10, 64] },
  firebase: { signer: [64, 64], separator: [1, 512], salt: [1, 512], key: [64, 64] },
}
const partNames: Readonly<Record<string, string>> = {
  key: 'The derived key in the password hash field',
  salt: 'The salt of the password hash field',
  separator: 'The base64_salt_separator of hash_parameters',
  signer: 'The base64_signer_key of hash_parameters',
}

/** The parameters of a Firebase project, as its console shows them. */
export interface FirebaseParameters {
  readonly base64_signer_key: string
  readonly base64_salt_separator: string
  readonly rounds: number
  readonly mem_cost: number
}

const tooCostly = (limit: string) => `The password hash field is too costly: ${limit} at most.`
const unknownForm =
  'The password hash field must be Argon2, scrypt, bcrypt, PBKDF2, phpass, or with hash_parameters Firebase scrypt.'

const memoryOf = (log2: number, blocks: number): number => 128 * 2 ** log2 * blocks

/** Base64 in any of its alphabets: passlib writes `.` for `+`. */
const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')

/** True for what an encoder writes: no character is left over, and no bit. */
const isBase64 = (text: string): boolean =>
  bytesOf(text).toString('base64url') === text.replace(/=+$/, '').replace(/[+.]/g, '-').replaceAll('/', '_')

/** Why a hash is refused; undefined if it is accepted. */
const findFault = (hash: string): string | undefined => findCostFault(hash) ?? findLengthFault(hash)

function findLengthFault(hash: string): string | undefined {
  for (const [name, form] of Object.entries(forms)) {
    for (const [part, text] of Object.entries(form.exec(hash)?.groups ?? {})) {
      const [least = 0, most = 0] = lengths[name]?.[part] ?? []
      const { length } = bytesOf(text)
      if (length >= least && length <= most && isBase64(text)) continue
      return `${partNames[part]} must be ${least === most ? least : `${least} to ${most}`} bytes in base64.`
    }
  }
  return undefined
}

/** A hash of no known form is refused here, too. */
function findCostFault(hash: string): string | undefined {
  const argon2 = forms.argon2.exec(hash)
  if (argon2 !== null) {
    const [memory, passes, lanes] = argon2.slice(1).map(Number) as [number, number, number]
    if (memory * 1024 > maxMemory) return tooCostly('256 MiB')
    if (lanes < 1 || passes < 1 || memory < 8 * lanes) return unknownForm
    return passes > maxPasses || lanes > 64 ? tooCostly(`${maxPasses} passes`) : undefined
  }
  const [, log2 = '', blocks = '', lanes = '1'] = forms.scrypt.exec(hash) ?? forms.firebase.exec(hash) ?? []
  if (log2 !== '') {
    const parallel = forms.scrypt.test(hash) ? Number(lanes) : 1
    if (Number(log2) < 1 || Number(blocks) < 1 || parallel < 1) return unknownForm
    return memoryOf(Number(log2), Number(blocks)) > maxMemory || parallel > 16 ? tooCostly('256 MiB') : undefined
  }
  const bcrypt = forms.bcrypt.exec(hash)
  if (bcrypt !== null) {
    if (Number(bcrypt[1]) < 4) return unknownForm
    return Number(bcrypt[1]) > maxBcryptCost ? tooCostly(`cost ${maxBcryptCost}`) : undefined
  }
  const rounds = forms.pbkdf2.exec(hash)?.[2] ?? forms.django.exec(hash)?.[2]
  if (rounds !== undefined) {
    if (Number(rounds) < 1) return unknownForm
    return Number(rounds) > maxPbkdf2Rounds ? tooCostly('5 million rounds') : undefined
  }
  const phpass = forms.phpass.exec(hash)
  if (phpass === null) return unknownForm
  const count = phpassAlphabet.indexOf(phpass[1] as string)
  return count < 7 ? unknownForm : count > maxPhpassLog2 ? tooCostly(`2^${maxPhpassLog2} rounds`) : undefined
}

/** A hash as it is stored, or why it is refused. */
export function readForeignHash(
  given: string,
  salt: string | undefined,
  firebase: FirebaseParameters | undefined,
): { readonly hash: string } | { readonly fault: string } {
  // Django puts the name of its hasher before some formats.
  const text = given.replace(/^(?:argon2|bcrypt)(?=\$\$?(?:argon2|2[aby]\$))/, '').replace(/^\$\$/, '$')
  const hash =
    firebase !== undefined && !text.startsWith('$') && !text.startsWith('pbkdf2_')
      ? ofFirebase(text, salt, firebase)
      : text
  const fault = findFault(hash)
  return fault === undefined ? { hash } : { fault }
}

const ofFirebase = (hash: string, salt = '', parameters: FirebaseParameters): string => {
  const { base64_signer_key: key, base64_salt_separator: separator, rounds, mem_cost } = parameters
  return `$firebase-scrypt$ln=${mem_cost},r=${rounds}$${key}$${separator}$${salt}$${hash}`
}

/** True for a hash that could be imported. Earlier versions also stored others; nothing may match those. */
export const isAcceptedHash = (hash: string): boolean => findFault(hash) === undefined

/** True for a hash of these formats that is not Argon2, which the caller verifies itself. */
export const isForeignHash = (hash: string): boolean => !hash.startsWith('$argon2') && isAcceptedHash(hash)

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

const derivePbkdf2 = promisify(pbkdf2)
const digestLengths: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }

/**
 * Compares the first block only. It depends on the whole password, and each further block would cost all rounds again: a key
 * of 64 bytes with SHA-1, which Keycloak writes, four times as much.
 */
async function verifyPbkdf2(
  password: string,
  { salt, rounds, algorithm, key }: { salt: Buffer | string; rounds: number; algorithm: string; key: Buffer },
): Promise<boolean> {
  const wanted = key.subarray(0, digestLengths[algorithm])
  return isSame(wanted, await derivePbkdf2(password, salt, rounds, wanted.length, algorithm))
}

const deriveScrypt = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

/** True if the password matches the hash. Does nothing on the event loop that takes long. */
export async function verifyForeignHash(hash: string, password: string): Promise<boolean> {
  if (forms.bcrypt.test(hash)) return verifyBcrypt(password, hash)
  const [, log2, blocks, lanes, salt, key] = forms.scrypt.exec(hash) ?? []
  if (key !== undefined && salt !== undefined) {
    const wanted = bytesOf(key)
    return isSame(wanted, await runScrypt(password, bytesOf(salt), wanted.length, [log2, blocks, lanes].map(Number)))
  }
  const [, algorithm = 'sha1', rounds, , pbkdf2Salt, pbkdf2Key] = forms.pbkdf2.exec(hash) ?? []
  if (pbkdf2Key !== undefined && pbkdf2Salt !== undefined) {
    const [salt, key] = [bytesOf(pbkdf2Salt), bytesOf(pbkdf2Key)]
    return verifyPbkdf2(password, { salt, rounds: Number(rounds), algorithm, key })
  }
  const [, djangoDigest, djangoRounds, djangoSalt, djangoKey] = forms.django.exec(hash) ?? []
  if (djangoKey !== undefined && djangoSalt !== undefined && djangoDigest !== undefined) {
    const key = bytesOf(djangoKey)
    return verifyPbkdf2(password, { salt: djangoSalt, rounds: Number(djangoRounds), algorithm: djangoDigest, key })
  }
  const phpass = forms.phpass.exec(hash)
  if (phpass !== null) return verifyPhpass(phpass, password)
  const firebase = forms.firebase.exec(hash)
  return firebase !== null && verifyFirebase(firebase, password)
}

const runScrypt = (password: string, salt: Buffer, length: number, [log2 = 0, r = 0, p = 0]: number[]) =>
  deriveScrypt(password, salt, length, { N: 2 ** log2, r, p, maxmem: maxMemory + 2 * mib + 1024 * r * p })

/** Source: github.com/firebase/scrypt. The derived key encrypts the project's signer key. */
async function verifyFirebase(
  [, log2, r, signer = '', separator = '', salt = '', hash = '']: RegExpExecArray,
  password: string,
) {
  const salted = Buffer.concat([bytesOf(salt), bytesOf(separator)])
  const derived = await runScrypt(password, salted, 64, [Number(log2), Number(r), 1])
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
  return isSame(bytesOf(hash), Buffer.concat([cipher.update(bytesOf(signer)), cipher.final()]))
}

const phpassAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const roundsAtOnce = 1_000

/** Source: openwall.com/phpass, PasswordHash.php (crypt_private). */
async function verifyPhpass(
  [, count = '', salt = '', wanted = '']: RegExpExecArray,
  password: string,
): Promise<boolean> {
  const typed = Buffer.from(password)
  const rounds = 2 ** phpassAlphabet.indexOf(count)
  let state: Buffer = digest('md5', Buffer.concat([Buffer.from(salt), typed]), 'buffer')
  for (let round = 0; round < rounds; round++) {
    state = digest('md5', Buffer.concat([state, typed]), 'buffer')
    if (round % roundsAtOnce === 0) await setImmediate()
  }
  return isSame(Buffer.from(toPhpassText(state)), Buffer.from(wanted))
}

/** phpass's own base64: little-endian groups of three bytes. */
function toPhpassText(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const rest = bytes.length - at
    const group = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
    for (let digit = 0; digit < (rest >= 3 ? 4 : rest + 1); digit++) text += phpassAlphabet[(group >> (6 * digit)) & 63]
  }
  return text
}
