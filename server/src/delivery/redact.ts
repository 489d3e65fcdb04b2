/** Takes secrets out of a server's words: some repeat what they were sent. What is left is one line of bounded length. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '…')
  }
  return clean.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)
}

/** What of a message's text is secret: tokens, and codes of six digits. */
export const secretsIn = (text: string): string[] => text.match(/[\w-]{20,}|(?<!\d)\d{6}(?!\d)/g) ?? []
