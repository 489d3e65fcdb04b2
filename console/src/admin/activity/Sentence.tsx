import type { components } from '@gatehouse/client'
import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useGetManyAggregate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { closed, nouns, ofOneself, placeOf, verbOf } from './sentence.ts'

export type Activity = components['schemas']['Activity']
type User = components['schemas']['User']

/** A user by name, with the way to them; by number for who may not see users, or once they are deleted. */
function UserName({ id }: { id: number }) {
  const mayRead = useMay('users.manage')
  const { data } = useGetManyAggregate<User>('users', { ids: [id] }, { enabled: mayRead })
  const user = data?.[0]
  if (user === undefined) return <Box component="strong">user {id}</Box>
  return (
    <Link component={RouterLink} to={`/users/${id}`} color="text.primary" underline="hover" sx={{ fontWeight: 600 }}>
      {nameOf(user)}
    </Link>
  )
}

/** “created a role”, with the way to the role where there is one. */
function Deed({ activity: { event, subject_type, subject_id } }: { activity: Activity }) {
  const text = closed(verbOf(event, subject_type))
  const noun = nouns[subject_type]
  const place = placeOf(subject_type, event)
  const maySee = useMay(place?.needs ?? [])
  if (noun === undefined || place === undefined || subject_id === null || !maySee) return <>{text}</>
  return (
    <>
      {text.slice(0, -noun.length)}
      <Link component={RouterLink} to={place.path(subject_id)} color="text.primary">
        {noun}
      </Link>
    </>
  )
}

/** “Ada banned Bob”. */
export function Sentence({ activity }: { activity: Activity }) {
  const { actor_id, event, subject_type, subject_id } = activity
  const isUser = subject_type === 'user' && subject_id !== null
  const isOther = isUser && subject_id !== actor_id
  const verb = verbOf(event, subject_type)
  return (
    <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
      {actor_id === null ? <strong>The system</strong> : <UserName id={actor_id} />}{' '}
      {isOther ? verb : isUser ? ofOneself(verb) : <Deed activity={activity} />}
      {isOther ? (
        <>
          {' '}
          <UserName id={subject_id} />
        </>
      ) : null}
    </Box>
  )
}
