/** The user of an event as the change left them, for those who receive it. Ends with the user, and with the event. */
export interface EventUsersTable {
  activity_id: number
  user_id: number
  /** The columns of `shownColumns`, JSON object. */
  user: string
}
