import type { components } from '@gatehouse/client'
import { useRef } from 'react'
import { AutocompleteInput, DateInput, ReferenceInput, useGetList } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { useRanked } from '../components/use-ranked.ts'
import { today } from '../today.ts'
import { type RoleChoice, useRoleChoices } from './roles.ts'

export type Country = components['schemas']['Country']

interface Props {
  readonly source: string
  readonly label?: string
  readonly isRequired?: boolean
  readonly disabled?: boolean
  readonly helperText?: string | false
  readonly fullWidth?: boolean
  readonly defaultValue?: number
}

const none: readonly Country[] = []
const noRoles: RoleChoice[] = []

/** The flag as text: the two letters of the country in regional indicator symbols. */
export const flagOf = ({ iso_3166_2 }: Country): string =>
  String.fromCodePoint(...[...iso_3166_2].map((letter) => letter.charCodeAt(0) + 0x1f1e6 - 65))

const useCountryList = () => useGetList<Country>('countries', undefined, { onError: () => {} })

/** Every country of the API, by name; none while they are loaded. */
export const useCountries = (): readonly Country[] => useCountryList().data ?? none

/** The text of a picker without choices. */
const noMatch = (error: unknown) => (error == null ? 'Nothing matches' : 'The choices could not be loaded')

// Made once: with other functions, or another array, react-admin would put back what is being typed at each drawing.
const withFlag = (country: Country): string => `${flagOf(country)} ${country.name}`
const plainName = ({ name }: Country): string => name
const roleTitle = ({ title }: RoleChoice): string => title

/** A country, found by typing. */
export function CountryInput({ label = 'Country', ...props }: Props) {
  const { data: countries = none, error, isPending } = useCountryList()
  return (
    <AutocompleteInput
      {...props}
      label={label}
      isPending={isPending}
      optionText={withFlag}
      inputText={plainName}
      {...useRanked(countries, plainName)}
      noOptionsText={noMatch(error)}
    />
  )
}

/** A role, found by typing. Roles that the current user may not give cannot be chosen. */
export function RoleInput({
  label = 'Role',
  isAnyAllowed = false,
  isRequired = false,
  ...props
}: Props & { isAnyAllowed?: boolean }) {
  const { data: roles = noRoles, error, isPending } = useRoleChoices()
  return (
    <AutocompleteInput
      {...props}
      label={label}
      {...useRanked(roles, roleTitle)}
      isPending={isPending}
      isRequired={isRequired}
      disableClearable={isRequired}
      optionText={roleTitle}
      getOptionDisabled={({ isWithinReach }) => !isAnyAllowed && isWithinReach === false}
      noOptionsText={noMatch(error)}
    />
  )
}

const findUsers = (search: string) => ({ search })

/** A user, found by name or address. */
export const UserInput = ({ source, label }: { source: string; label: string; alwaysOn?: boolean }) => (
  <ReferenceInput source={source} reference="users" sort={{ field: 'first_name', order: 'ASC' }}>
    <AutocompleteInput label={label} optionText={nameOf} filterToQuery={findUsers} />
  </ReferenceInput>
)

/** A day that is not in the future. A partly typed date is refused: browsers report it as empty, which would remove the old one. */
export function PastDateInput({
  source,
  disabled = false,
  autoComplete = 'off',
}: {
  source: string
  disabled?: boolean
  autoComplete?: string
}) {
  const ref = useRef<HTMLInputElement>(null)
  const isWhole = () => (ref.current?.validity.badInput ? 'Write the whole date, or remove all of it.' : undefined)
  return (
    <DateInput
      source={source}
      disabled={disabled}
      validate={isWhole}
      helperText={false}
      slotProps={{ htmlInput: { ref, max: today(), autoComplete } }}
    />
  )
}
