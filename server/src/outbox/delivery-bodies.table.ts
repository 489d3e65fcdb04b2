import type { Generated, Selectable } from 'kysely'

/** A mail to many, rendered once. */
export interface DeliveryBodiesTable {
  id: Generated<number>
  template: string
  /** Like text and html with placeholders where each recipient has a value of their own. */
  subject: string
  text: string
  html: string
  /** `Placeholders`, JSON. */
  placeholders: string
  created_at: string
}

export type DeliveryBodyRow = Selectable<DeliveryBodiesTable>

/** Where recipients' values go: at `{marker}x{index}x` stands the value of `names[index]`. */
export interface Placeholders {
  /** Random for each body, so that no text can contain it by design. */
  readonly marker: string
  readonly names: readonly string[]
}
