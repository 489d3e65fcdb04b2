import { ConfirmDialog, useGoOn } from '@gatehouse/plugin-kit/console'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { inText } from '../../api/user-name.ts'
import { DangerRow } from '../components/DangerRow.tsx'
import { SecretDialog } from '../components/OneTimeSecret.tsx'
import { Section } from '../components/Section.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { call } from '../data-provider.ts'
import type { ApiKey, IssuedApiKey } from './keys.ts'
import { Secret } from './Secret.tsx'

/** A new secret, and the end of the key; each asks first. Only its owner can be given a new secret. */
export function KeyActions({ apiKey, isYours }: { apiKey: ApiKey; isYours: boolean }) {
  const [asked, setAsked] = useState<'rotate' | 'revoke'>()
  const [secret, setSecret] = useState<string>()
  const reveal = useReveal(setSecret)
  const notify = useNotify()
  const goOn = useGoOn()
  const queries = useQueryClient()
  const { id } = apiKey
  const name = inText(apiKey.name)
  const close = () => setAsked(undefined)

  const rotate = async () => {
    const { data } = await call<{ data: IssuedApiKey }>('POST', `/api-keys/${id}/rotate`)
    reveal(
      data.key,
      `The key “${name}” was rotated after you had left: nobody has seen its new secret. Rotate it again to get one.`,
    )
  }
  const revoke = async () => {
    await call('DELETE', `/api-keys/${id}`)
    notify(`The key “${name}” was revoked.`, { type: 'success' })
    goOn('/api-keys')
    await queries.invalidateQueries({ queryKey: ['api-keys', 'getList'] })
  }
  const seen = async () => {
    setSecret(undefined)
    await queries.invalidateQueries({ queryKey: ['api-keys'] })
  }
  return (
    <Section title="Danger zone">
      {isYours ? (
        <DangerRow
          title="Rotate this key"
          text="A new secret in place of the present one. Name, expiry and permissions stay."
          action="Rotate"
          onClick={() => setAsked('rotate')}
        />
      ) : null}
      <DangerRow
        title="Revoke this key"
        text="Requests with it are answered 401 from now on."
        action="Revoke"
        isDangerous
        onClick={() => setAsked('revoke')}
      />
      {asked === 'rotate' ? (
        <ConfirmDialog title={`Rotate “${name}”?`} action="Rotate" onConfirm={rotate} onClose={close} endsInSecret>
          The present secret stops working at once: programs that use it fail until they have the new one, which is
          shown next.
        </ConfirmDialog>
      ) : null}
      {asked === 'revoke' ? (
        <ConfirmDialog title={`Revoke “${name}”?`} action="Revoke" isDangerous onConfirm={revoke} onClose={close}>
          Programs that use it are refused at once. This cannot be undone.
        </ConfirmDialog>
      ) : null}
      {/* After the question has closed: that gives the focus back to its button, as this does later. */}
      {secret === undefined || asked !== undefined ? null : (
        <SecretDialog title="The key has a new secret" onClose={seen}>
          <Secret value={secret} />
        </SecretDialog>
      )}
    </Section>
  )
}
