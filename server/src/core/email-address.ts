import { domainToASCII } from 'node:url'

/*
 * The forms of email addresses. Two addresses are the same only if mail to them reaches the same domain. Characters that
 * merely look alike are not folded: `gıthub.test` and `github.test` belong to different people.
 */

const ascii = /^\p{ASCII}*$/u
/** What stands between the labels of a domain: keyboards for Chinese and Japanese type other dots (RFC 3490 §3.1, mapped by UTS 46). */
export const domainDot = /[.。．｡]/
const domainCharacters = /^[\p{L}\p{N}\p{M}.。．｡-]+$/u
const asciiLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Each character by itself: a capital sigma always becomes σ, and a final ς stays a different letter. */
function toLowerCase(text: string): string {
  let lower = ''
  for (const character of text) lower += character.toLowerCase()
  return lower
}

/**
 * A domain in its DNS form: ASCII, lower case, by UTS 46 without transitional mappings, so that `ß` and `ς` keep their own
 * domains. Undefined if it is not a domain.
 */
export function asciiDomain(domain: string): string | undefined {
  if (!domainCharacters.test(domain)) return undefined
  // With a label behind it, a host such as 1.2.3 is not parsed as an IPv4 address and rewritten.
  const mapped = domainToASCII(`${domain}.x`)
  if (!mapped.endsWith('.x') || mapped.length > 255) return undefined
  const labels = mapped.slice(0, -2).split('.')
  return labels.every((label) => asciiLabel.test(label)) ? labels.join('.') : undefined
}

/**
 * The form in which email addresses are unique and looked up: the domain in ASCII, the local part in NFC and lower case.
 * Every text has such a form; one with an invalid domain differs from every valid address.
 */
export function canonicalEmail(email: string): string {
  const text = email.trim()
  if (ascii.test(text) && !/xn--/i.test(text)) return text.toLowerCase()
  const lower = (part: string) => toLowerCase(part.normalize('NFC')).normalize('NFC')
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  return at === -1 ? lower(text) : `${lower(text.slice(0, at))}@${asciiDomain(domain) ?? lower(domain)}`
}

/** The same address with its domain in ASCII, as mail servers expect it; the local part is unchanged. */
export function deliverableAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${email.slice(0, at)}@${asciiDomain(domain) ?? domain}`
}

const asciiLowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** True if two addresses differ at most in the case of ASCII letters: only then does one prove the other. */
export const isSameAddress = (one: string, other: string): boolean => asciiLowerCase(one) === asciiLowerCase(other)
