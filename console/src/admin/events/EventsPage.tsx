import Pause from '@mui/icons-material/Pause'
import Play from '@mui/icons-material/PlayArrow'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { Title } from 'react-admin'
import { UserName } from '../activity/names.tsx'
import { eventTitle, subjectTitle } from '../activity/sentence.ts'
import { useEventNames } from '../activity/use-event-names.ts'
import { Code } from '../components/Code.tsx'
import { ListBody } from '../components/ListBody.tsx'
import { relativeTime, wholeTime } from '../components/RelativeTime.tsx'
import { Row } from '../components/Row.tsx'
import { Section } from '../components/Section.tsx'
import { Tag } from '../components/Tag.tsx'
import { type FeedEvent, useFeed } from './use-feed.ts'

function subjectOf({ data: { subject, user } }: FeedEvent): string {
  if (user !== undefined) return user.email
  const kind = subjectTitle(subject.type)
  return subject.id === null ? kind : `${kind} ${subject.id}`
}

function EventRow({ event }: { event: FeedEvent }) {
  const [isOpen, setOpen] = useState(false)
  const when = new Date(event.timestamp)
  const { actor_id } = event.data
  const line = (
    <>
      By {actor_id === null ? 'the system' : <UserName id={actor_id} />} ·{' '}
      <time dateTime={event.timestamp} title={wholeTime(when)}>
        {relativeTime(when)}
      </time>{' '}
      · {event.type}
    </>
  )
  return (
    <Row
      title={`${eventTitle(event.type)} · ${subjectOf(event)}`}
      lines={[line]}
      action={
        <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      }
    >
      {isOpen ? (
        <Box sx={{ mt: 1.5 }}>
          <Code label="Event" text={JSON.stringify(event)} />
        </Box>
      ) : null}
    </Row>
  )
}

/** What happens, as webhooks and readers of the feed get it, while it happens. */
export function EventsPage() {
  const [kind, setKind] = useState('')
  const kinds = new Set(useEventNames().map((name) => name.split('.')[0] ?? ''))
  const [isPaused, setPaused] = useState(false)
  const { events, isPending, error } = useFeed(kind, isPaused)
  const action = (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Tag tone={isPaused ? 'plain' : error === null ? 'good' : 'bad'}>
        {isPaused ? 'Paused' : error === null ? 'Live' : 'No connection'}
      </Tag>
      <Button
        variant="outlined"
        startIcon={isPaused ? <Play /> : <Pause />}
        onClick={() => setPaused(!isPaused)}
        aria-pressed={isPaused}
      >
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
    </Box>
  )
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 900, mx: 'auto', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Events" />
      <TextField
        select
        label="About"
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        sx={{ maxWidth: 240 }}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">Everything</MenuItem>
        {[...kinds].map((name) => (
          <MenuItem key={name} value={`${name}.*`}>
            {subjectTitle(name)}
          </MenuItem>
        ))}
      </TextField>
      <Section
        title="Live events"
        description="What webhooks and readers of the feed get, the newest first. Failed sign-ins come when their minute is over."
        action={action}
        flush
      >
        <Box aria-live="polite" aria-relevant="additions">
          <ListBody isPending={isPending} error={error} none="Nothing has happened yet. What happens appears here.">
            {events.map((event) => (
              <EventRow key={event.data.id} event={event} />
            ))}
          </ListBody>
        </Box>
      </Section>
    </Box>
  )
}
