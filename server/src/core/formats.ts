import { asciiDomain, domainDot } from './email-address.ts'

/** One plain address of at most 254 characters: nothing that a mail header could read as two, no quoting (RFC 5321, 5322), no invisible characters, and a domain that the DNS can hold. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split(domainDot)
  if (at < 1 || text.length > 254 || local.length > 64) return false
  if (
    !/^[^\s"(),:;<>@[\]\\\p{Cc}\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u.test(local) ||
    local.startsWith('.') ||
    local.endsWith('.') ||
    local.includes('..')
  )
    return false
  const areLabels = labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u.test(label))
  return areLabels && asciiDomain(text.slice(at + 1)) !== undefined
}

/** An absolute http or https address without credentials, and without a backslash: browsers end the host there, other programs do not. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:\/\/[^\\]*$/i.test(text) &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
  )
}
