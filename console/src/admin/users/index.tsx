import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/PeopleAltOutlined'
import { nameOf } from '../../api/user-name.ts'
import { UserList } from './list/UserList.tsx'
import { UserCreate } from './UserCreate.tsx'
import { UserEdit } from './UserEdit.tsx'

/** Everybody who has an account. Reading takes the same permission as writing. */
export const users: ConsoleResource = {
  name: 'users',
  label: 'Users',
  icon: Icon,
  group: 'people',
  list: UserList,
  edit: UserEdit,
  create: UserCreate,
  recordRepresentation: nameOf,
  permission: { read: 'users.manage', write: 'users.manage' },
}
