import type { Indexes } from '../indexes.ts'

/** As `two_factor_options` begins where a second factor is on. The same text as in the filter: that is how an index is found. */
const isOn = `coalesce(two_factor_options, '') like '{"enabled":true%'`

/** Who has a second factor, and by role who has none: for the filter of the list and the number on the dashboard. */
export const indexes: Indexes = {
  users_with_factor: `on users (id) where ${isOn}`,
  users_without_factor: `on users (role_id, id) where not ${isOn}`,
}
