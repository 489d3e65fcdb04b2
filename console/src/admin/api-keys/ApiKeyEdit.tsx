import { Form } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/VpnKeyOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { EditBase, maxLength, required, SaveButton, TextInput, Title, useEditContext, useNotify } from 'react-admin'
import { inText } from '../../api/user-name.ts'
import { RecordPage, stayOnError } from '../components/RecordPage.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { ExpiryInput } from './ExpiryInput.tsx'
import { KeyActions } from './KeyActions.tsx'
import { type ApiKey, expiryOf, useGrantable, useMayTouch, useOwner } from './keys.ts'
import { Expires, Owner, Scope } from './Labels.tsx'
import { ScopeInput } from './ScopeInput.tsx'

const Facts = ({ apiKey }: { apiKey: ApiKey }) => (
  <Typography color="text.secondary">
    Acts as <Owner apiKey={apiKey} you="you" /> · created <RelativeTime value={apiKey.created_at} /> ·{' '}
    {apiKey.last_used_at === null ? (
      'never used'
    ) : (
      <>
        last used <RelativeTime value={apiKey.last_used_at} />
      </>
    )}
  </Typography>
)

function Fields({ apiKey, isYours }: { apiKey: ApiKey; isYours: boolean }) {
  const grantable = useGrantable(useOwner(apiKey))
  return (
    <Form warnWhenUnsavedChanges>
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        <Section title="Details">
          <TextInput
            source="name"
            label="Name"
            fullWidth
            helperText={false}
            validate={[required(), maxLength(255)]}
            slotProps={{ htmlInput: { autoComplete: 'off' } }}
          />
          <ExpiryInput source="expires_at" kept={apiKey.expires_at} />
        </Section>
        <Section title="What it may do">
          <ScopeInput source="permissions" grantable={grantable} isYours={isYours} />
        </Section>
      </Box>
      <Box sx={{ mt: 2 }}>
        <SaveButton label="Save changes" icon={null} />
      </Box>
    </Form>
  )
}

const ReadOnly = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    <Alert severity="info">
      This key belongs to somebody else. It can be changed by its owner, and by whoever manages users and holds every
      permission that its owner holds.
    </Alert>
    <Section title="Details">
      <Typography>
        May: <Scope apiKey={apiKey} />
      </Typography>
      <Typography>
        Expires: <Expires apiKey={apiKey} />
      </Typography>
    </Section>
  </>
)

function ApiKeyPage({ apiKey }: { apiKey: ApiKey }) {
  const { isYours, mayTouch } = useMayTouch(apiKey)
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Title title={inText(apiKey.name)} />
      <Facts apiKey={apiKey} />
      {expiryOf(apiKey) === 'expired' ? (
        <Alert severity="warning">
          This key has expired: requests with it are answered 401. A later date revives it.
        </Alert>
      ) : null}
      {mayTouch ? <Fields apiKey={apiKey} isYours={isYours} /> : <ReadOnly apiKey={apiKey} />}
      {mayTouch ? <KeyActions apiKey={apiKey} isYours={isYours} /> : null}
    </Box>
  )
}

const LoadedApiKey = () => (
  <RecordPage state={useEditContext<ApiKey>()} noun="API key" icon={Icon} back={{ to: '/api-keys', label: 'API keys' }}>
    {(apiKey) => <ApiKeyPage apiKey={apiKey} />}
  </RecordPage>
)

/** One key: its name, its limits, a new secret, and its end. */
export function ApiKeyEdit() {
  const notify = useNotify()
  const onSuccess = () => notify('The changes were saved.', { type: 'success' })
  return (
    <EditBase<ApiKey>
      mutationMode="pessimistic"
      redirect={false}
      mutationOptions={{ onSuccess }}
      queryOptions={stayOnError}
    >
      <LoadedApiKey />
    </EditBase>
  )
}
