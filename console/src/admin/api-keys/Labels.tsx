import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Tooltip from '@mui/material/Tooltip'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { monoFamily } from '../../design/tokens.ts'
import { RelativeTime, toDate, wholeTime } from '../components/RelativeTime.tsx'
import { Tag } from '../components/Tag.tsx'
import { useSession } from '../session.ts'
import { type ApiKey, expiryOf, useOwner } from './keys.ts'

/** As whom the key acts. */
export function Owner({ apiKey, you = 'You' }: { apiKey: ApiKey; you?: string }) {
  const { user } = useSession()
  const owner = useOwner(apiKey)
  if (owner === undefined) return <>User {apiKey.user_id}</>
  if (owner.id === user.id) return <>{you}</>
  return (
    <Link
      component={RouterLink}
      to={`/users/${owner.id}`}
      onClick={(event) => event.stopPropagation()}
      color="text.primary"
      underline="hover"
    >
      {nameOf(owner)}
    </Link>
  )
}

/** The first characters of the key, by which it is recognised; nothing where the server does not tell them. */
export function Prefix({ apiKey }: { apiKey: ApiKey & { readonly prefix?: string | null } }) {
  if (apiKey.prefix == null) return null
  return (
    <Box component="code" sx={{ fontFamily: monoFamily, fontSize: '0.75rem', color: 'text.secondary' }}>
      {apiKey.prefix}…
    </Box>
  )
}

/** What the key is limited to. */
export function Scope({ apiKey: { permissions } }: { apiKey: ApiKey }) {
  if (permissions === null) return <>Everything its owner may</>
  if (permissions.length === 0) return <>No permission</>
  if (permissions.length <= 2) return <>{permissions.join(', ')}</>
  return (
    <Tooltip title={permissions.join(', ')}>
      <span>{permissions.length} permissions</span>
    </Tooltip>
  )
}

/** UTC, as the last day is chosen. */
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** When it stops working; a word besides where that is near or past. */
export function Expires({ apiKey }: { apiKey: ApiKey }) {
  const expiry = expiryOf(apiKey)
  if (apiKey.expires_at === null) return <>Never</>
  if (expiry === 'expired') return <Tag tone="bad">Expired</Tag>
  const date = toDate(apiKey.expires_at)
  return (
    <Box component="time" dateTime={date.toISOString()} title={wholeTime(date)} sx={{ whiteSpace: 'nowrap' }}>
      {expiry === 'soon' ? (
        <Box component="span" sx={{ color: 'warning.main', fontWeight: 550 }}>
          <RelativeTime value={apiKey.expires_at} isAhead />
        </Box>
      ) : (
        dayFormat.format(date)
      )}
    </Box>
  )
}
