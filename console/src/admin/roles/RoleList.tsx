import { DataTable, DateField, List } from 'react-admin'

/** `display_name` may be null: the name stands for it. */
const titleOf = ({ name, display_name }: { name: string; display_name: string | null }) => display_name ?? name

export const RoleList = () => (
  <List sort={{ field: 'id', order: 'ASC' }} perPage={50} exporter={false}>
    <DataTable bulkActionButtons={false} rowClick={false}>
      <DataTable.Col source="name" label="Role" render={(role) => titleOf(role as never)} />
      <DataTable.Col source="description" disableSort />
      <DataTable.NumberCol source="users_count" label="Users" disableSort />
      <DataTable.Col source="created_at" label="Created">
        <DateField source="created_at" />
      </DataTable.Col>
    </DataTable>
  </List>
)
