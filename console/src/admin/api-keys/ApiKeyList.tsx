import { List, useMay } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/VpnKeyOutlined'
import { useMemo } from 'react'
import { DataTable, SearchInput, TopToolbar } from 'react-admin'
import { Cell } from '../components/Cell.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { NewButton } from '../components/NewButton.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { UserInput } from '../users/inputs.tsx'
import type { ApiKey } from './keys.ts'
import { Expires, Owner, Prefix, Scope } from './Labels.tsx'

const NewKey = () => <NewButton to="/api-keys/create">New key</NewButton>

const Actions = () => (
  <TopToolbar>
    <NewKey />
  </TopToolbar>
)

const Empty = () => (
  <EmptyState icon={Icon} title="There is no API key yet" action={<NewKey />}>
    A key lets a program use the API as you, within the permissions that you give it.
  </EmptyState>
)

const filtersOf = (mayUsers: boolean) => [
  <SearchInput key="search" source="search" alwaysOn placeholder="Search keys" />,
  ...(mayUsers ? [<UserInput key="user_id" source="user_id" label="Owner" alwaysOn />] : []),
]

/** The keys of every user. What they are is never shown again: only that they are. */
export function ApiKeyList() {
  const isPhone = useIsPhone()
  const mayUsers = useMay('users.manage')
  const filters = useMemo(() => filtersOf(mayUsers), [mayUsers])
  return (
    <List
      title="API keys"
      sort={{ field: 'id', order: 'DESC' }}
      filters={filters}
      actions={<Actions />}
      empty={<Empty />}
    >
      <DataTable<ApiKey> bulkActionButtons={false} rowClick="edit">
        <DataTable.Col
          source="name"
          label="Name"
          render={(key: ApiKey) => (
            <Cell to={`/api-keys/${key.id}`} title={key.name} end={<Prefix apiKey={key} />}>
              {isPhone ? (
                <>
                  <Owner apiKey={key} /> · <Scope apiKey={key} />
                  <br />
                  Last used: <RelativeTime value={key.last_used_at} />
                </>
              ) : null}
            </Cell>
          )}
        />
        {isPhone ? null : (
          <DataTable.Col source="user_id" label="Owner" disableSort render={(key: ApiKey) => <Owner apiKey={key} />} />
        )}
        {isPhone ? null : (
          <DataTable.Col
            source="permissions"
            label="May"
            disableSort
            render={(key: ApiKey) => <Scope apiKey={key} />}
          />
        )}
        {isPhone ? null : (
          <DataTable.Col
            source="last_used_at"
            label="Last used"
            render={(key: ApiKey) => <RelativeTime value={key.last_used_at} />}
          />
        )}
        <DataTable.Col source="expires_at" label="Expires" render={(key: ApiKey) => <Expires apiKey={key} />} />
        {isPhone ? null : (
          <DataTable.Col
            source="created_at"
            label="Created"
            render={(key: ApiKey) => <RelativeTime value={key.created_at} />}
          />
        )}
      </DataTable>
    </List>
  )
}
