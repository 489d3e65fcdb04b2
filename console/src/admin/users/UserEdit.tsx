import { LoadError, useGoOn, useMay } from '@gatehouse/plugin-kit/console'
import Missing from '@mui/icons-material/PersonOffOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import type { ComponentType } from 'react'
import { EditBase, type HttpError, Title, useEditContext } from 'react-admin'
import { Link, useParams } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { BackLink } from '../components/BackLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { wasDeleted } from '../data-provider.ts'
import type { User } from '../session.ts'
import { ActivityTab } from './ActivityTab.tsx'
import { KeysTab } from './KeysTab.tsx'
import { listAddress } from './list/list-address.ts'
import { ProfileTab } from './ProfileTab.tsx'
import { useMayChange, useRoleChoices } from './roles.ts'
import { SecurityTab } from './SecurityTab.tsx'
import { SessionsTab } from './SessionsTab.tsx'
import type { PageProps } from './tab.ts'
import { UserHeader } from './UserHeader.tsx'

interface UserTab {
  readonly path: string
  readonly label: string
  readonly content: ComponentType<PageProps>
}

const tabs: readonly UserTab[] = [
  { path: '', label: 'Profile', content: ProfileTab },
  { path: 'security', label: 'Security', content: SecurityTab },
  { path: 'sessions', label: 'Sessions', content: SessionsTab },
]
const keys: UserTab = { path: 'api-keys', label: 'API keys', content: KeysTab }
const activity: UserTab = { path: 'activity', label: 'Activity', content: ActivityTab }

function UserPage({ user }: { user: User }) {
  const { '*': path = '' } = useParams()
  const mayChange = useMayChange(user)
  const goOn = useGoOn()
  const { data: roles, error } = useRoleChoices()
  const maySeeKeys = useMay('api-keys.manage')
  const maySeeActivity = useMay('users.activity')
  const shown = [...tabs, ...(maySeeKeys ? [keys] : []), ...(maySeeActivity ? [activity] : [])]
  const tab = shown.find((one) => one.path === path) ?? (shown[0] as UserTab)
  const { content: Content } = tab
  return (
    <Box sx={{ maxWidth: 1040, mx: 'auto' }}>
      <Title title={nameOf(user)} />
      <BackLink to={listAddress()}>Users</BackLink>
      <UserHeader user={user} mayChange={mayChange} goOn={goOn} />
      <Tabs
        value={tab.path}
        aria-label="Parts of this user"
        variant="scrollable"
        scrollButtons={false}
        sx={{ borderBottom: '1px solid', borderColor: 'divider', mb: 2.5 }}
      >
        {shown.map(({ path: to, label }) => (
          <Tab
            key={to}
            value={to}
            label={label}
            id={`user-tab-${to}`}
            component={Link}
            to={`/users/${user.id}${to === '' ? '' : `/${to}`}`}
            replace
          />
        ))}
      </Tabs>
      <Box role="tabpanel" aria-labelledby={`user-tab-${tab.path}`} sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
        {roles === undefined ? <LoadError error={error} what="What you may change" /> : null}
        {mayChange || roles === undefined ? null : (
          <Alert severity="info">This user holds permissions that you lack, so you cannot change the account.</Alert>
        )}
        <Content user={user} mayChange={mayChange} goOn={goOn} />
      </Box>
    </Box>
  )
}

const Waiting = () => (
  <Box sx={{ maxWidth: 1040, mx: 'auto', pt: 5 }} aria-busy="true">
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', mb: 3 }}>
      <Skeleton variant="circular" width={64} height={64} />
      <Box sx={{ flex: 1 }}>
        <Skeleton width="40%" height={28} />
        <Skeleton width="25%" />
      </Box>
    </Box>
    <Skeleton variant="rounded" height={360} />
  </Box>
)

function LoadedUser() {
  const { id } = useParams()
  const { record, isPending, error, refetch } = useEditContext<User>()
  // Until it is known what one may change, nothing is drawn that would move or turn into something else.
  const { isPending: isUnknown } = useRoleChoices()
  // The cache may still hold a deleted user.
  const isGone = wasDeleted('users', id) || (error as HttpError | null)?.status === 404
  // Another user's page begins anew: no question goes along to it.
  if (record !== undefined && !isGone && !isUnknown) return <UserPage key={record.id} user={record} />
  if ((isPending || record !== undefined) && !isGone) return <Waiting />
  return (
    <>
      <Title title="User" />
      <EmptyState
        icon={Missing}
        title={isGone ? 'There is no such user' : 'This user cannot be shown now'}
        action={
          isGone ? (
            <Button variant="outlined" component={Link} to={listAddress()}>
              Back to the users
            </Button>
          ) : (
            <Button variant="outlined" onClick={() => refetch()}>
              Try again
            </Button>
          )
        }
      >
        {isGone ? 'The account may have been deleted.' : error?.message}
      </EmptyState>
    </>
  )
}

/** Shows an error in place of the user. React-admin would go to the list. */
const stay = { onError: () => {} }

/** The page of a user, in tabs: each has an address below the page’s own. */
export const UserEdit = () => (
  <EditBase<User> mutationMode="pessimistic" redirect={false} queryOptions={stay}>
    <LoadedUser />
  </EditBase>
)
