import { useState } from 'react'
import { DangerRow } from '../components/DangerRow.tsx'
import { Section } from '../components/Section.tsx'
import { useSession } from '../session.ts'
import { ActionDialog, type ActionName } from './ActionDialog.tsx'
import type { PageProps } from './tab.ts'

const yourself = 'This is your own account: somebody else has to do this.'

/** Actions that decide whether a user can sign in at all, each with a question first; those that only help stand apart. */
export function DangerZone({ user, goOn }: Pick<PageProps, 'user' | 'goOn'>) {
  const [asked, setAsked] = useState<ActionName>()
  const isYou = useSession().user.id === user.id
  return (
    <>
      {user.status === 'Unconfirmed' ? (
        <Section title="Confirmation">
          <DangerRow
            title="Confirm this account"
            text={`${user.email} has not been confirmed. You can vouch for it instead.`}
            action="Confirm"
            onClick={() => setAsked('confirm')}
          />
        </Section>
      ) : null}
      {user.status === 'Banned' ? (
        <Section title="Access">
          <DangerRow
            title="Unban this user"
            text="They can sign in again. Revoked API keys stay revoked."
            action="Unban"
            onClick={() => setAsked('unban')}
          />
        </Section>
      ) : null}
      <Section title="Danger zone">
        {user.status === 'Banned' ? null : (
          <DangerRow
            title="Ban this user"
            text={isYou ? yourself : 'Signs them out at once, and keeps them out until they are unbanned.'}
            action="Ban"
            isDangerous
            disabled={isYou}
            onClick={() => setAsked('ban')}
          />
        )}
        <DangerRow
          title="Delete this user"
          text={isYou ? yourself : 'Deletes the account with its sessions, API keys and picture, for good.'}
          action="Delete"
          isDangerous
          disabled={isYou}
          onClick={() => setAsked('delete')}
        />
      </Section>
      {asked === undefined ? null : (
        <ActionDialog user={user} action={asked} goOn={goOn} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}
