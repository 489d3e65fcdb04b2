import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Encrypts secrets that must be read again, where a hash will not do. */
export interface Sealer {
  /** Returns `v1.` and base64url. The text can be opened with the same `context` only. */
  readonly seal: (text: string, context: string) => string
  /** Throws if the text was sealed with another key or context. Unsealed text is returned as it is. */
  readonly open: (sealed: string, context: string) => string
  /** A code that only a holder of the key can make: it proves that `text` was signed here for this `context` (HMAC-SHA-256). */
  readonly sign: (text: string, context: string) => string
  /** A fingerprint of the key: the same for two sealers with the same key, and reveals nothing else. */
  readonly fingerprint: string
}

export const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const prefix = 'v1.'

/** A key of its own for each use. As an object it is read once: a buffer would be read at each use, which takes five times as long. */
const deriveKey = (key: Buffer, use: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, keyBytes)))

/** AES-256-GCM (NIST SP 800-38D) with a random IV for each text, under a key that is derived from `key` for this use alone. */
export function createSealer(key: Buffer): Sealer {
  const derived = deriveKey(key, 'gatehouse seal')
  const signing = deriveKey(key, 'gatehouse sign')
  return {
    seal: (text, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', derived, iv).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return prefix + sealed.toString('base64url')
    },
    open: (sealed, context) => {
      if (!sealed.startsWith(prefix)) return sealed
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', derived, bytes.subarray(0, ivBytes))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    sign: (text, context) => createHmac('sha256', signing).update(`${context}\n${text}`).digest('base64url'),
    fingerprint: createHmac('sha256', key).update('gatehouse fingerprint').digest('base64url'),
  }
}
