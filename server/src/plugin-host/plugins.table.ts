import type { Selectable } from 'kysely'

/** A plugin that is or was listed; its row goes with its data. */
export interface PluginsTable {
  id: string
  /** How it was listed last: its package is needed again to remove its tables. */
  source: string
  version: string
  /** What the plugin signs with. */
  secret: string
  /** JSON: the names of the permissions that it brought. */
  permissions: string
  /** JSON: those permissions and who held them, while the plugin is not listed. */
  parked: string
  created_at: string
}

export type PluginRow = Selectable<PluginsTable>
