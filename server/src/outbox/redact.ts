/** Removes secrets from a server's message, since some quote what they were sent. Returns one line of bounded length. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '…')
  }
  return clean.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)
}

/** The secrets in a message's text: tokens and six-digit codes. */
export const secretsIn = (text: string): string[] => text.match(/[\w-]{20,}|(?<!\d)\d{6}(?!\d)/g) ?? []
