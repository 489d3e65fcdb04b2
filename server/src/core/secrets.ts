import { hash } from 'node:crypto'

/**
 * The stored hash of an API key, a login token or a one-time token. A fast hash is right for 256 random bits, which cannot
 * be guessed (OWASP ASVS 11.4).
 */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')
