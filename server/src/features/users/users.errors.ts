import { defineErrors } from '../../core/errors.ts'

export const userErrors = defineErrors({
  user_above_you: [403, 'This user holds a permission that you lack.'],
  user_is_yourself: [403, 'You cannot delete or ban yourself.'],
  user_email_taken: [422, 'The email has already been taken.'],
  user_username_taken: [422, 'The username has already been taken.'],
  user_last_admin: [403, 'The last active administrator cannot be deleted, banned or given another role.'],
})
