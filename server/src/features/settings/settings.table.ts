/** A setting that an administrator has changed. Settings at their default have no row. */
export interface SettingsTable {
  name: string
  /** JSON. */
  value: string
}
