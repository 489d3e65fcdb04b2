import { ConfirmDialog, useGoOn } from '@gatehouse/plugin-kit/console'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { DangerRow } from '../components/DangerRow.tsx'
import { SecretDialog } from '../components/OneTimeSecret.tsx'
import { Section } from '../components/Section.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { call } from '../data-provider.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import type { Webhook, WebhookWithSecret } from './webhook.ts'

/** A replay, a new secret, and the end of the webhook; each asks first. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<'replay' | 'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  const reveal = useReveal(setSecret)
  const notify = useNotify()
  const goOn = useGoOn()
  const queries = useQueryClient()
  const { id, enabled } = webhook
  const close = () => setAsked(undefined)
  const rotate = async () => {
    const { data } = await call<{ data: WebhookWithSecret }>('POST', `/webhooks/${id}/rotate`)
    reveal(
      data.secret,
      'The webhook was given a new secret after you had left: nobody has seen it. Rotate it again to get one.',
    )
  }
  const remove = async () => {
    await call('DELETE', `/webhooks/${id}`)
    notify('The webhook was deleted.', { type: 'success' })
    goOn('/webhooks')
    await queries.invalidateQueries({ queryKey: ['webhooks', 'getList'] })
  }
  const seen = async () => {
    setSecret(undefined)
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  }
  return (
    <Section title="More">
      {enabled ? (
        <DangerRow
          title="Replay"
          text="Sends again what happened in a range of time."
          action="Replay"
          onClick={() => setAsked('replay')}
        />
      ) : null}
      <DangerRow
        title="Rotate the secret"
        text="For 24 hours the old and the new secret both sign, so that no message is lost."
        action="Rotate"
        onClick={() => setAsked('rotate')}
      />
      <DangerRow
        title="Delete this webhook"
        text="Nothing is sent any more. What waits to be sent is discarded."
        action="Delete"
        isDangerous
        onClick={() => setAsked('delete')}
      />
      {asked === 'replay' ? <ReplayDialog webhook={webhook} onClose={close} /> : null}
      {asked === 'rotate' ? (
        <ConfirmDialog title="Rotate the secret?" action="Rotate" onConfirm={rotate} onClose={close} endsInSecret>
          The new secret is shown next. Give it to the receiver within 24 hours: then the old one stops signing.
        </ConfirmDialog>
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog title="Delete this webhook?" action="Delete" isDangerous onConfirm={remove} onClose={close}>
          Messages that wait, and the list of attempts, are deleted, too. This cannot be undone.
        </ConfirmDialog>
      ) : null}
      {/* After the question has closed: that gives the focus back to its button, as this does later. */}
      {secret === undefined || asked !== undefined ? null : (
        <SecretDialog title="The webhook has a new secret" onClose={seen}>
          <WebhookSecret value={secret} />
        </SecretDialog>
      )}
    </Section>
  )
}
