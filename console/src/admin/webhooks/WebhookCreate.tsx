import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { CreateBase, Title } from 'react-admin'
import { Link } from 'react-router'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { Section } from '../components/Section.tsx'
import { WebhookFields } from './WebhookFields.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import type { Webhook } from './webhook.ts'

/** In the place of the form, once the webhook is there. */
const Created = ({ webhook }: { webhook: Webhook }) => (
  <Section title="The webhook was created">
    <WebhookSecret value={webhook.secret ?? ''} />
    <Button component={Link} to={`/webhooks/${webhook.id}`} variant="contained" sx={{ mt: 2 }}>
      I have copied it
    </Button>
  </Section>
)

const onlyGiven = ({ url, events, description, enabled }: Record<string, unknown>) => ({
  url: url ?? '',
  events: events ?? [],
  description: description || null,
  enabled: enabled ?? true,
})

export function WebhookCreate() {
  const [created, setCreated] = useState<Webhook>()
  const [defaults] = useState(() => ({ events: [] as string[], enabled: true }))
  return (
    <Box sx={{ maxWidth: 760, mx: 'auto' }}>
      <Title title="New webhook" />
      <BackLink to="/webhooks">Webhooks</BackLink>
      {created === undefined ? (
        <CreateBase
          transform={onlyGiven}
          mutationOptions={{ onSuccess: (webhook: Webhook) => setCreated(webhook), gcTime: 0 }}
          redirect={false}
        >
          <Form defaultValues={defaults} warnWhenUnsavedChanges>
            <Section title="New webhook" description="It is sent what happens from now on, signed, within seconds.">
              <WebhookFields />
            </Section>
            <CreateActions label="Create the webhook" back="/webhooks" />
          </Form>
        </CreateBase>
      ) : (
        <Created webhook={created} />
      )}
    </Box>
  )
}
