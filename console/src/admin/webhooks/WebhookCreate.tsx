import { Form, LockedWhileSent } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { CreateBase, Title } from 'react-admin'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { SecretSection } from '../components/OneTimeSecret.tsx'
import { Section } from '../components/Section.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { WebhookFields } from './WebhookFields.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import type { WebhookWithSecret } from './webhook.ts'

/** In the place of the form, once the webhook is there. */
const Created = ({ webhook }: { webhook: WebhookWithSecret }) => (
  <SecretSection title="The webhook was created" to={`/webhooks/${webhook.id}`}>
    <WebhookSecret value={webhook.secret} />
  </SecretSection>
)

const onlyGiven = ({ url, events, description, enabled }: Record<string, unknown>) => ({
  url: url ?? '',
  events: events ?? [],
  description: description || null,
  enabled: enabled ?? true,
})

export function WebhookCreate() {
  const [created, setCreated] = useState<WebhookWithSecret>()
  const reveal = useReveal(setCreated)
  const onSuccess = (webhook: WebhookWithSecret) =>
    reveal(
      webhook,
      'The webhook was created after you had left: nobody has seen its secret. Rotate the secret to get one.',
    )
  const [defaults] = useState(() => ({ events: [] as string[], enabled: true }))
  return (
    <Box sx={{ maxWidth: 760, mx: 'auto' }}>
      <Title title="New webhook" />
      <BackLink to="/webhooks">Webhooks</BackLink>
      {created === undefined ? (
        <CreateBase transform={onlyGiven} mutationOptions={{ onSuccess, gcTime: 0 }} redirect={false}>
          <Form defaultValues={defaults} warnWhenUnsavedChanges>
            <LockedWhileSent>
              <Section title="New webhook" description="It is sent what happens from now on, signed, within seconds.">
                <WebhookFields />
              </Section>
            </LockedWhileSent>
            <CreateActions label="Create the webhook" back="/webhooks" />
          </Form>
        </CreateBase>
      ) : (
        <Created webhook={created} />
      )}
    </Box>
  )
}
