import type { components } from '@gatehouse/client'
import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import Computer from '@mui/icons-material/ComputerOutlined'
import Phone from '@mui/icons-material/SmartphoneOutlined'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { ListBody } from '../components/ListBody.tsx'
import { bothTimes, toDate } from '../components/RelativeTime.tsx'
import { Row } from '../components/Row.tsx'
import { Section } from '../components/Section.tsx'
import { Tag } from '../components/Tag.tsx'
import { call } from '../data-provider.ts'
import { useSession } from '../session.ts'
import { type TabProps, useChanged } from './tab.ts'

type Session = components['schemas']['Session']

const titleOf = ({ browser, platform }: Session): string =>
  [browser, platform].filter((part) => part !== '' && part !== 'Unknown').join(' on ') || 'Unknown program'

function SessionRow({ session, onEnd }: { session: Session; onEnd: (() => void) | undefined }) {
  const when = toDate(session.last_activity)
  const Icon = /phone|mobile|tablet/i.test(session.device) ? Phone : Computer
  const title = (
    <>
      {titleOf(session)} {session.current === true ? <Tag tone="good">This session</Tag> : null}
    </>
  )
  const active = (
    <>
      Active <time dateTime={when.toISOString()}>{bothTimes(when)}</time>
    </>
  )
  const end =
    onEnd === undefined ? null : (
      <Button variant="outlined" onClick={onEnd} aria-label={`End the session ${titleOf(session)}`}>
        End
      </Button>
    )
  const lines = [`${session.device} · ${session.ip_address}`, active]
  return <Row icon={Icon} title={title} hint={session.user_agent ?? undefined} lines={lines} action={end} />
}

/** Where the user is signed in; one session or all can be ended. */
export function SessionsTab({ user, mayChange, path = `/users/${user.id}` }: TabProps) {
  const notify = useNotify()
  const changed = useChanged(user)
  const [asked, setAsked] = useState<Session | 'all'>()
  const isYou = useSession().user.id === user.id
  const { data, isPending, error } = useQuery({
    queryKey: ['users', 'sessions', user.id],
    queryFn: async () => (await call<{ data: Session[] }>('GET', `${path}/sessions`)).data,
  })
  const end = async () => {
    await call('DELETE', asked === 'all' ? `${path}/sessions` : `/sessions/${asked?.id}`)
    notify(asked === 'all' ? 'All sessions were ended.' : 'The session was ended.', { type: 'success' })
    changed() // not awaited: after one's own session has ended, it waits for the sign-in, and the question would stay
  }
  const sessions = data ?? []
  const endAll =
    mayChange && sessions.length > 0 ? (
      <Button variant="outlined" color="error" onClick={() => setAsked('all')}>
        End all
      </Button>
    ) : undefined
  return (
    <Section
      title="Sessions"
      description={`Where ${isYou ? 'you are' : 'the user is'} signed in, newest activity first.`}
      flush
      action={endAll}
    >
      <ListBody isPending={isPending} error={error} none={`${nameOf(user)} is not signed in anywhere.`}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={mayChange ? () => setAsked(session) : undefined} />
        ))}
      </ListBody>
      {asked === undefined ? null : (
        <ConfirmDialog
          title={asked === 'all' ? 'End all sessions?' : `End the session ${titleOf(asked)}?`}
          action={asked === 'all' ? 'End all' : 'End'}
          isDangerous
          onConfirm={end}
          onClose={() => setAsked(undefined)}
        >
          {isYou && (asked === 'all' || asked.current === true)
            ? 'This ends the session that you are using now: you have to sign in again.'
            : isYou
              ? 'You have to sign in again there.'
              : `${nameOf(user)} has to sign in again there.`}
        </ConfirmDialog>
      )}
    </Section>
  )
}
