import { defineErrors } from '../../core/errors.ts'

export const userErrors = defineErrors({
  user_above_you: [403, 'This user holds a permission that you lack.'],
  user_is_yourself: [403, 'You cannot delete or ban yourself.'],
  user_email_taken: [422, 'The email has already been taken.'],
  user_username_taken: [422, 'The username has already been taken.'],
  username_not_your_address: [422, 'A username with an @ must be the email address of the same account.'],
  username_mixes_scripts: [422, 'The username must not mix letters of different scripts.'],
  user_last_admin: [
    403,
    'The last active administrator cannot be deleted, banned, made Unconfirmed or given another role.',
  ],
})
