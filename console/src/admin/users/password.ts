const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Twenty characters that cannot be mistaken for each other, in groups: 116 bits. */
export function generatePassword(): string {
  const drawn: string[] = []
  while (drawn.length < 20) {
    // A byte beyond the last whole round is drawn again, so that every character is as likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      const letter = byte < 256 - (256 % alphabet.length) ? alphabet[byte % alphabet.length] : undefined
      if (letter !== undefined && drawn.length < 20) drawn.push(letter)
    }
  }
  return drawn.join('').replaceAll(/.{5}(?=.)/g, '$&-')
}

/** As the server compares names: NFKC, case-folded, trimmed. */
const canonical = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

export interface Rule {
  readonly text: string
  /** Null if only the server can tell. */
  readonly isKept: boolean | null
}

/** The rules of a password that can be checked here. How easy it is to guess only the server knows. */
export function passwordRules(
  password: string,
  minLength: number,
  names: readonly (string | null | undefined)[],
): Rule[] {
  const isName = names.some((name) => name != null && name !== '' && canonical(name) === canonical(password))
  return [
    { text: `At least ${minLength} characters`, isKept: [...password].length >= minLength },
    { text: 'Not the email or the username', isKept: password !== '' && !isName },
    { text: 'Hard to guess: checked when you save', isKept: null },
  ]
}

/** Checks what can be checked here; the message, or undefined if nothing is wrong. */
export const checkPassword =
  (minLength: number) =>
  (password?: string | null): string | undefined => {
    if (!password) return 'A password is needed.'
    return [...password].length < minLength ? `Use at least ${minLength} characters.` : undefined
  }

export const checkRepetition = (
  repeated: string | null | undefined,
  { password }: { password?: string | null },
): string | undefined => {
  if (!repeated) return 'Repeat the password.'
  return repeated === password ? undefined : 'The two passwords differ.'
}
