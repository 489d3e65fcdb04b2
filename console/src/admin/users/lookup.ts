import { useMemo } from 'react'
import type { Lookup } from './fields.tsx'
import { useCountries } from './inputs.tsx'
import { useRoles } from './roles.ts'

/** Names for the ids of users; the same object until a role or country changes. */
export function useLookup(): Lookup {
  const roles = useRoles()
  const countries = useCountries()
  return useMemo(
    () => ({
      roles: new Map(roles.map(({ id, title }) => [id, title])),
      countries: new Map(countries.map((country) => [country.id, country])),
    }),
    [roles, countries],
  )
}
