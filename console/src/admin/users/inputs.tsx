import { AutocompleteInput, useGetList } from 'react-admin'
import { useRoleChoices } from './roles.ts'

export interface Country {
  readonly id: number
  readonly name: string
  readonly iso_3166_2: string
  readonly calling_code: number | null
}

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

/** The flag as text: the two letters of the country in regional indicator symbols. */
export const flagOf = ({ iso_3166_2 }: Country): string =>
  String.fromCodePoint(...[...iso_3166_2].map((letter) => letter.charCodeAt(0) + 0x1f1e6 - 65))

const useCountryList = () => useGetList<Country>('countries', undefined, { onError: () => {} })

/** Every country of the API, by name; none while they are loaded. */
export const useCountries = (): readonly Country[] => useCountryList().data ?? none

/** What a picker says without choices. */
const noMatch = (error: unknown) => (error == null ? 'Nothing matches' : 'The choices could not be loaded')

/** A country, found by typing. */
export function CountryInput({ label = 'Country', ...props }: Props) {
  const { data: countries = none, error, isPending } = useCountryList()
  return (
    <AutocompleteInput
      {...props}
      label={label}
      choices={[...countries]}
      isPending={isPending}
      optionText={(country: Country) => `${flagOf(country)} ${country.name}`}
      inputText={({ name }: Country) => name}
      matchSuggestion={(text: string, { name }: Country) => name.toLowerCase().includes(text.trim().toLowerCase())}
      noOptionsText={noMatch(error)}
    />
  )
}

/** A role, found by typing; those that whoever is signed in may not give cannot be chosen. */
export function RoleInput({
  label = 'Role',
  isFilter = false,
  isRequired = false,
  ...props
}: Props & { isFilter?: boolean }) {
  const { data: roles = [], error, isPending } = useRoleChoices()
  return (
    <AutocompleteInput
      {...props}
      label={label}
      choices={roles}
      isPending={isPending}
      isRequired={isRequired}
      disableClearable={isRequired}
      optionText="title"
      getOptionDisabled={({ isWithinReach }) => !isFilter && isWithinReach === false}
      noOptionsText={noMatch(error)}
    />
  )
}
