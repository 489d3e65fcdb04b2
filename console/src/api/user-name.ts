interface Named {
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly username?: string | null
  readonly email?: string
}

/** Characters that turn the direction of the text around them. */
const steering = /[\u202a-\u202e\u2066-\u2069]/g

/** A name as it may stand within a sentence: it turns nothing around it. */
export const inText = (name: string): string => name.replaceAll(steering, '')

/** What a person is called: the full name, else the username, else the address. */
export function nameOf({ first_name, last_name, username, email }: Named): string {
  const [first, last, short] = [first_name, last_name, username].map((part) => inText(part ?? ''))
  return [first, last].filter(Boolean).join(' ') || short || email || ''
}
