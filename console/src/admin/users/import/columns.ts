import { fileColumns } from '../fields.tsx'

/** What a file may set of a user, with what people call it: these, and each other field that the forms have. */
const named = [
  ['email', 'Email'],
  ['username', 'Username'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['phone', 'Phone'],
  ['address', 'Address'],
  ['birthday', 'Birthday'],
  ['country', 'Country (code)'],
  ['country_id', 'Country (number)'],
  ['role', 'Role (name)'],
  ['role_id', 'Role (id)'],
  ['status', 'Status'],
  ['created_at', 'Created'],
  ['email_verified', 'Email is verified'],
  ['password', 'Password'],
  ['password_hash', 'Password hash'],
  ['password_salt', 'Password salt'],
] as const
export const importColumns = fileColumns(named, ({ input }) => input !== undefined)

export const ignored = ''

const synonyms: Readonly<Record<string, string>> = {
  e_mail: 'email',
  mail: 'email',
  email_address: 'email',
  user_name: 'username',
  login: 'username',
  firstname: 'first_name',
  given_name: 'first_name',
  lastname: 'last_name',
  surname: 'last_name',
  family_name: 'last_name',
  phone_number: 'phone',
  date_of_birth: 'birthday',
  birthdate: 'birthday',
  created: 'created_at',
  verified: 'email_verified',
  emailverified: 'email_verified',
  encrypted_password: 'password_hash',
  passwordhash: 'password_hash',
}

/** The column that a name of the file most likely means; each is taken once. */
export function guessColumns(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const form = name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
    const known = importColumns.some(([column]) => column === form) ? form : synonyms[form]
    if (known === undefined || taken.has(known)) return ignored
    taken.add(known)
    return known
  })
}
