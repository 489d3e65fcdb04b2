import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps secrets that have to be read again, where a hash will not do: encrypted in the database. */
export interface Sealer {
  /** `v1.` and base64url. `context` says what the text belongs to; it opens nowhere else. */
  readonly seal: (text: string, context: string) => string
  /** Throws where it was sealed with another key or for another context. What is not sealed is returned as it is. */
  readonly open: (sealed: string, context: string) => string
  /** Tells whether another sealer has the same key, and nothing else of it. */
  readonly fingerprint: string
}

export const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const prefix = 'v1.'

/** AES-256-GCM (NIST SP 800-38D) with a random IV for each text, under a key that is derived from `key` for this use alone. */
export function createSealer(key: Buffer): Sealer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'gatehouse seal', keyBytes))
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
    fingerprint: createHmac('sha256', key).update('gatehouse fingerprint').digest('base64url'),
  }
}
