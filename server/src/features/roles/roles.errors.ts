import { defineErrors } from '../../core/errors.ts'

export const roleErrors = defineErrors({
  role_above_you: [403, 'This role holds a permission that you lack.'],
  role_of_registration: [422, 'Everybody who registers gets this role.'],
  role_built_in: [
    403,
    'A built-in role cannot be renamed or deleted, and the administrator role always holds every permission.',
  ],
  role_name_taken: [422, 'The name has already been taken.'],
  permission_name_taken: [422, 'The name has already been taken.'],
  permission_built_in: [403, 'A built-in permission cannot be renamed or deleted.'],
  role_of_yours_needs_factor: [403, 'Add a second factor to your own account before your role requires one.'],
})
