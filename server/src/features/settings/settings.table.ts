/** A setting that an administrator has changed; one that stands at its default has no row. */
export interface SettingsTable {
  name: string
  /** JSON. */
  value: string
}
