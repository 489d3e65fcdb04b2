import { Form, useOnce } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/WebhookOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { EditBase, SaveButton, Title, useEditContext, useNotify } from 'react-admin'
import { PageHead } from '../components/PageHead.tsx'
import { RecordPage, stayOnError } from '../components/RecordPage.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { Attempts } from './Attempts.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookFields } from './WebhookFields.tsx'
import { WebhookStatus } from './WebhookList.tsx'
import { troubleOf, type Webhook } from './webhook.ts'

function TestButton({ webhook }: { webhook: Webhook }) {
  const notify = useNotify()
  const client = useQueryClient()
  const [send, isBusy] = useOnce(async () => {
    try {
      await call('POST', `/webhooks/${webhook.id}/test`)
      notify('A test message is on its way. The attempts show what came of it.', { type: 'success' })
      await client.invalidateQueries({ queryKey: ['webhooks', 'attempts'] })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
  })
  return (
    <Button variant="outlined" onClick={send} disabled={isBusy}>
      Send a test
    </Button>
  )
}

function Heading({ webhook }: { webhook: Webhook }) {
  const trouble = troubleOf(webhook)
  return (
    <>
      <PageHead
        title={webhook.description ?? new URL(webhook.url).host}
        tag={<WebhookStatus webhook={webhook} />}
        action={webhook.enabled ? <TestButton webhook={webhook} /> : null}
      >
        Created <RelativeTime value={webhook.created_at} />
        {webhook.failing_since === null ? null : (
          <>
            {' '}
            · failing since <RelativeTime value={webhook.failing_since} />
          </>
        )}
      </PageHead>
      {trouble === undefined ? null : (
        <Alert severity={webhook.disabled_reason === 'administrator' ? 'info' : 'warning'}>{trouble}</Alert>
      )}
    </>
  )
}

const WebhookPage = ({ webhook }: { webhook: Webhook }) => (
  <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <Title title="Webhook" />
    <Heading webhook={webhook} />
    <Attempts webhook={webhook} />
    <Form warnWhenUnsavedChanges>
      <Section title="Details">
        <WebhookFields events={webhook.events} />
        <Box sx={{ mt: 1.5 }}>
          <SaveButton label="Save changes" icon={null} />
        </Box>
      </Section>
    </Form>
    <WebhookActions webhook={webhook} />
  </Box>
)

const LoadedWebhook = () => (
  <RecordPage
    state={useEditContext<Webhook>()}
    noun="webhook"
    icon={Icon}
    back={{ to: '/webhooks', label: 'Webhooks' }}
  >
    {(webhook) => <WebhookPage webhook={webhook} />}
  </RecordPage>
)

const onlyFields = ({ url, events, description, enabled }: Record<string, unknown>) => ({
  url,
  events,
  description: description || null,
  enabled,
})

/** One webhook: how it does, what it sends where, a new secret, and its end. */
export function WebhookEdit() {
  const notify = useNotify()
  const onSuccess = () => notify('The changes were saved.', { type: 'success' })
  return (
    <EditBase<Webhook>
      mutationMode="pessimistic"
      redirect={false}
      transform={onlyFields}
      mutationOptions={{ onSuccess }}
      queryOptions={stayOnError}
    >
      <LoadedWebhook />
    </EditBase>
  )
}
