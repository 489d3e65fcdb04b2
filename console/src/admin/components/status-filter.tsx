import { SelectInput } from 'react-admin'

/** The filter of a list by status. A function, since react-admin reads the props of a filter before it is drawn. */
export const statusFilter = (statuses: Readonly<Record<string, { readonly name: string }>>) => (
  <SelectInput
    key="status"
    source="status"
    label="Status"
    alwaysOn
    emptyText="Any"
    choices={Object.entries(statuses).map(([id, { name }]) => ({ id, name }))}
  />
)
