/** Stands where a user has no password, and matches none. They sign in with a passkey, or set a password by mail. */
export const noPassword = ''

export const hasPassword = ({ password_hash }: { readonly password_hash: string }): boolean =>
  password_hash !== noPassword
