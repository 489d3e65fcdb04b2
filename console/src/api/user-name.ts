interface Named {
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly username?: string | null
  readonly email?: string
}

/** What a person is called: the full name, else the username, else the address. */
export function nameOf({ first_name, last_name, username, email }: Named): string {
  const full = [first_name, last_name].filter((part) => part != null && part !== '').join(' ')
  return full || username || email || ''
}
