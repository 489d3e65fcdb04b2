import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { email, required, TextInput } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { asTyped } from '../../design/as-typed.ts'
import { RelativeTime, toDate } from '../components/RelativeTime.tsx'
import type { User } from '../session.ts'
import { type Country, CountryInput, flagOf, PastDateInput, RoleInput } from './inputs.tsx'
import { NameCell } from './NameCell.tsx'
import { StatusChip } from './StatusChip.tsx'

/** What ids of a user stand for. */
export interface Lookup {
  /** The title of a role, by id. */
  readonly roles: ReadonlyMap<number, string>
  readonly countries: ReadonlyMap<number, Country>
}

export interface InputProps {
  readonly disabled: boolean
  /** Users change their own sign-in names on their account page, with the current password. */
  readonly isYou: boolean
}

type Text = string | number | null

/** A field of a user: its column in the table, its column in the exported file, and its input in the forms. */
interface UserField {
  /** Its heading in the file, and its name in the address of the list. */
  readonly name: string
  /** What the API calls it. */
  readonly source: keyof User
  readonly label: string
  /** What the list is sorted by; absent where the API cannot. */
  readonly sortBy?: string
  /** As text, where that is not the value itself. */
  readonly text?: (user: User, lookup: Lookup) => Text
  /** Its cell, where that is not the text. */
  readonly cell?: (user: User, lookup: Lookup) => ReactNode
  /** Made of other fields: not in the file. */
  readonly isDerived?: true
  readonly input?: { readonly part: 'account' | 'person'; readonly render: (props: InputProps) => ReactNode }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

const Day = ({ value }: { value: string }) => (
  <time dateTime={toDate(value).toISOString()} title={`${value} UTC`}>
    {dayFormat.format(toDate(value))}
  </time>
)

const isEmail = [required('An email address is needed.'), email('This is not an email address.')]
const signInName = ({ disabled, isYou }: InputProps) =>
  ({
    disabled: disabled || isYou,
    autoComplete: 'off',
    helperText: isYou ? 'Change it under My account.' : false,
  }) as const

/** A text field of the person behind the account. `purpose` is what browsers fill in for the person themselves (WCAG 1.3.5). */
const personText = (source: keyof User, purpose = 'off', more: object = {}): UserField['input'] => ({
  part: 'person',
  render: ({ disabled, isYou }) => (
    <TextInput
      source={source}
      disabled={disabled}
      helperText={false}
      autoComplete={isYou ? purpose : 'off'}
      {...more}
    />
  ),
})

/** Every field of a user, in the order of table, file and forms. A new one is an entry here. */
const userFields = [
  { name: 'id', source: 'id', label: 'ID', sortBy: 'id' },
  {
    name: 'name',
    source: 'first_name',
    label: 'Name',
    sortBy: 'first_name',
    text: nameOf,
    cell: (user) => <NameCell user={user} />,
    isDerived: true,
  },
  {
    name: 'first_name',
    source: 'first_name',
    label: 'First name',
    sortBy: 'first_name',
    input: personText('first_name', 'given-name'),
  },
  {
    name: 'last_name',
    source: 'last_name',
    label: 'Last name',
    sortBy: 'last_name',
    input: personText('last_name', 'family-name'),
  },
  {
    name: 'email',
    source: 'email',
    label: 'Email',
    sortBy: 'email',
    cell: (user) => <span title={user.email}>{user.email}</span>,
    input: {
      part: 'account',
      render: (props) => <TextInput source="email" type="email" validate={isEmail} {...signInName(props)} />,
    },
  },
  {
    name: 'username',
    source: 'username',
    label: 'Username',
    sortBy: 'username',
    input: {
      part: 'account',
      render: (props) => <TextInput source="username" slotProps={{ htmlInput: asTyped }} {...signInName(props)} />,
    },
  },
  {
    name: 'phone',
    source: 'phone',
    label: 'Phone',
    input: personText('phone', 'tel', { type: 'tel', placeholder: '+44 20 7946 0958' }),
  },
  {
    name: 'birthday',
    source: 'birthday',
    label: 'Birthday',
    input: {
      part: 'person',
      render: ({ disabled, isYou }) => (
        <PastDateInput source="birthday" disabled={disabled} autoComplete={isYou ? 'bday' : 'off'} />
      ),
    },
  },
  {
    name: 'country',
    source: 'country_id',
    label: 'Country',
    text: ({ country_id }, { countries }) => countries.get(country_id ?? 0)?.name ?? null,
    cell: ({ country_id }, { countries }) => {
      const country = countries.get(country_id ?? 0)
      return country === undefined ? null : `${flagOf(country)} ${country.name}`
    },
    input: {
      part: 'person',
      render: ({ disabled }) => <CountryInput source="country_id" disabled={disabled} helperText={false} />,
    },
  },
  {
    name: 'address',
    source: 'address',
    label: 'Address',
    input: personText('address', 'street-address', { multiline: true, maxRows: 4 }),
  },
  {
    name: 'role',
    source: 'role_id',
    label: 'Role',
    text: ({ role_id }, { roles }) => roles.get(role_id) ?? null,
    input: {
      part: 'account',
      render: ({ disabled }) => (
        <Box className="wide">
          <RoleInput source="role_id" isRequired disabled={disabled} helperText={false} />
        </Box>
      ),
    },
  },
  {
    name: 'status',
    source: 'status',
    label: 'Status',
    sortBy: 'status',
    cell: ({ status }) => <StatusChip status={status} />,
  },
  {
    name: 'last_login',
    source: 'last_login',
    label: 'Last sign-in',
    sortBy: 'last_login',
    cell: ({ last_login }) => (last_login === null ? null : <RelativeTime value={last_login} />),
  },
  {
    name: 'created_at',
    source: 'created_at',
    label: 'Created',
    sortBy: 'created_at',
    cell: ({ created_at }) => <Day value={created_at} />,
  },
  {
    name: 'updated_at',
    source: 'updated_at',
    label: 'Updated',
    sortBy: 'updated_at',
    cell: ({ updated_at }) => <Day value={updated_at} />,
  },
] as const satisfies readonly UserField[]

export type FieldName = (typeof userFields)[number]['name']

const fields: readonly (UserField & { readonly name: FieldName })[] = userFields

/** The field as text; null where it is not set. */
const textOf = ({ source, text }: UserField, user: User, lookup: Lookup): Text =>
  text === undefined ? (user[source] as Text) : text(user, lookup)

const unset = (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
)

/** The field as it stands in the table. */
export const cellOf = (field: UserField, user: User, lookup: Lookup): ReactNode =>
  (field.cell === undefined ? textOf(field, user, lookup) : field.cell(user, lookup)) ?? unset

export const columnFields = fields

/** Columns of a file that are named here, and each other field of the table: a new field needs no entry. */
export function fileColumns(
  named: readonly (readonly [name: string, label: string])[],
  isWanted: (field: UserField) => boolean = () => true,
): readonly (readonly [name: string, label: string])[] {
  const known = new Set(named.map(([name]) => name))
  const others = fields.filter((field) => field.isDerived !== true && !known.has(field.source) && isWanted(field))
  return [...named, ...others.map(({ source, label }) => [source, label] as const)]
}
export const inputFields = fields.filter(({ input }) => input !== undefined)
