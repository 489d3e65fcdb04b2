import type { components } from '@gatehouse/client'
import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router'
import { words } from '../settings/words.ts'
import { UserName, useRoleName, useSubjectName } from './names.tsx'
import { closed, isWithoutActor, nounOf, ofOneself, placeOf, verbOf, verbOfMany } from './sentence.ts'

export type Activity = components['schemas']['Activity']

/** “created the role Support”, with a link to it; “deleted a role” once it has no name. */
function Action({ activity: { event, subject_type, subject_id } }: { activity: Activity }) {
  const text = closed(verbOf(event, subject_type))
  const noun = nounOf(event, subject_type)
  const place = placeOf(subject_type, event)
  const maySee = useMay(place?.needs ?? [])
  const name = useSubjectName(subject_type, subject_id)
  if (noun === undefined || subject_id === null) return <>{text}</>
  const to = place !== undefined && maySee ? place.path(subject_id) : undefined
  const label = name ?? noun
  return (
    <>
      {text.slice(0, -noun.length)}
      {name === undefined ? null : `${noun.replace(/^an? /, 'the ')} `}
      {to === undefined ? (
        <Box component={name === undefined ? 'span' : 'strong'}>{label}</Box>
      ) : (
        <Link component={RouterLink} to={to} color="text.primary" sx={{ fontWeight: name === undefined ? 400 : 600 }}>
          {label}
        </Link>
      )}
    </>
  )
}

/** After “changed the role of Ada”: “from User to Support”. */
function RoleChange({ activity: { details } }: { activity: Activity }) {
  const roleName = useRoleName()
  const { before, after } = (details ?? {}) as { before?: number; after?: number }
  const [from, to] = [roleName(before), roleName(after)]
  return (
    <>
      {from === undefined ? '' : ` from ${from}`}
      {to === undefined ? '' : ` to ${to}`}
    </>
  )
}

/** After “changed settings”: which. */
const settingsOf = ({ details }: Activity): string => {
  const { fields = [] } = (details ?? {}) as { fields?: readonly string[] }
  return fields.length === 0 ? '' : `: ${fields.map((name) => words[name]?.label ?? name).join('; ')}`
}

/** After “banned Bob”: why, where a reason was given. */
const reasonOf = ({ details }: Activity): string => {
  const { reason } = (details ?? {}) as { reason?: string }
  return reason === undefined ? '' : `: “${reason}”`
}

/** Who did it: a user, somebody who is not signed in, or the service itself, which has no address. */
function Actor({ activity: { actor_id, ip_address } }: { activity: Activity }) {
  if (actor_id !== null) return <UserName id={actor_id} />
  return <strong>{ip_address === null ? 'The system' : 'Somebody'}</strong>
}

/** “Ada banned 12 users”. */
export const SentenceOfMany = ({ activity, count }: { activity: Activity; count: number }) => (
  <span>
    <Actor activity={activity} /> {verbOfMany(activity.event, activity.subject_type, count)}
  </span>
)

/** “Ada banned Bob”, “Failed sign-ins of Bob”. */
export function Sentence({ activity }: { activity: Activity }) {
  const { actor_id, event, subject_type, subject_id } = activity
  const isUser = subject_type === 'user' && subject_id !== null
  const hasActor = !isWithoutActor(event)
  const isOther = isUser && !(hasActor && subject_id === actor_id)
  const verb = verbOf(event, subject_type)
  return (
    <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
      {hasActor ? (
        <>
          <Actor activity={activity} />{' '}
        </>
      ) : null}
      {isOther ? verb : isUser ? ofOneself(verb) : <Action activity={activity} />}
      {isOther ? (
        <>
          {' '}
          <UserName id={subject_id} />
        </>
      ) : null}
      {event === 'settings.updated' ? settingsOf(activity) : null}
      {event === 'user.banned' ? reasonOf(activity) : null}
      {event === 'user.role_changed' ? <RoleChange activity={activity} /> : null}
    </Box>
  )
}
