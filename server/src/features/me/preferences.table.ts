/** The page preferences of a user. */
export interface UserPreferencesTable {
  user_id: number
  /** A JSON object. */
  value: string
  updated_at: string
}
