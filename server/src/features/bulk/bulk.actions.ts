// The command line reads this at its start, so it imports nothing.

/** What can be done to many users at once. */
export const bulkActions = [
  'ban',
  'activate',
  'delete',
  'set_role',
  'end_sessions',
  'send_password_reset',
  'resend_confirmation',
] as const
export type BulkAction = (typeof bulkActions)[number]
