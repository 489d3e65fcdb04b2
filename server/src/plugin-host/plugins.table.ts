import type { Selectable } from 'kysely'

/** A plugin that is or was listed. The row is deleted with its data. */
export interface PluginsTable {
  id: string
  /** How it was last listed: its package is needed again to remove its tables. */
  source: string
  version: string
  /** The secret that the plugin signs with. */
  secret: string
  /** JSON: the names of its permissions. */
  permissions: string
  /** JSON: those permissions and the roles that had them, while the plugin is not listed. */
  parked: string
  created_at: string
}

export type PluginRow = Selectable<PluginsTable>
