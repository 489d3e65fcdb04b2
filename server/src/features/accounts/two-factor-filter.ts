import { fragment } from '../../http/lists/fragment.ts'
import type { Filter } from '../../http/lists/spec.ts'

/** As `two_factor_options` begins where a second factor is on. */
const isOn = `coalesce(two_factor_options, '') like '{"enabled":true%'`

/** Users who lack the second factor that their role requires. */
export const lacksRequiredFactor = `(not ${isOn} and role_id in (select id from roles where two_factor = 'required'))`

export const conditions: Readonly<Record<string, string>> = {
  on: isOn,
  off: `not ${isOn}`,
  missing: lacksRequiredFactor,
}

/** Who has a second factor, who has none, and who has none though their role requires one. */
export const twoFactorFilter: Filter = {
  expects: 'on, off or missing',
  description: 'One of on, off and missing: off where the role requires a second factor.',
  parse: (text) => (Object.hasOwn(conditions, text) ? text : undefined),
  where: (values) => fragment(`(${values.map((value) => conditions[value]).join(' or ')})`),
}
