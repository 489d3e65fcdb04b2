import { Form, LockedWhileSent } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { CreateBase, maxLength, required, TextInput, Title } from 'react-admin'
import { inText } from '../../api/user-name.ts'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { SecretSection } from '../components/OneTimeSecret.tsx'
import { Section } from '../components/Section.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { useSession } from '../session.ts'
import { ExpiryInput } from './ExpiryInput.tsx'
import { type IssuedApiKey, inDays, useGrantable } from './keys.ts'
import { ScopeInput } from './ScopeInput.tsx'
import { Secret } from './Secret.tsx'

/** In the place of the form, once the key is there. */
const Issued = ({ apiKey }: { apiKey: IssuedApiKey }) => (
  <SecretSection title={`The key “${inText(apiKey.name)}” was issued`} to="/api-keys">
    <Secret value={apiKey.key} />
  </SecretSection>
)

const onlyGiven = ({ name, expires_at, permissions }: Record<string, unknown>) => ({
  name: name ?? '',
  expires_at: expires_at ?? null, // none: never
  permissions: permissions ?? null,
})

/** A key for oneself: nobody makes keys for others. */
export function ApiKeyCreate() {
  const grantable = useGrantable(useSession().user)
  const [issued, setIssued] = useState<IssuedApiKey>()
  const reveal = useReveal(setIssued)
  const onSuccess = (apiKey: IssuedApiKey) =>
    reveal(
      apiKey,
      `The key “${inText(apiKey.name)}” was issued after you had left: nobody has seen its secret. Rotate it to get one.`,
    )
  const [defaults] = useState(() => ({ expires_at: inDays(90), permissions: [] as string[] }))
  return (
    <Box sx={{ maxWidth: 760, mx: 'auto' }}>
      <Title title="New API key" />
      <BackLink to="/api-keys">API keys</BackLink>
      {issued === undefined ? (
        <CreateBase transform={onlyGiven} mutationOptions={{ onSuccess, gcTime: 0 }} redirect={false}>
          <Form defaultValues={defaults} warnWhenUnsavedChanges>
            <LockedWhileSent>
              <Box sx={{ display: 'grid', gap: 2.5 }}>
                <Section title="New API key" description="It lets a program use the API as you.">
                  <TextInput
                    source="name"
                    label="Name"
                    fullWidth
                    autoFocus
                    helperText="Which program uses it: “Nightly import”."
                    validate={[required(), maxLength(255)]}
                    slotProps={{ htmlInput: { autoComplete: 'off' } }}
                  />
                  <ExpiryInput source="expires_at" />
                </Section>
                <Section title="What it may do">
                  <ScopeInput source="permissions" grantable={grantable} isYours />
                </Section>
              </Box>
            </LockedWhileSent>
            <CreateActions label="Issue the key" back="/api-keys" />
          </Form>
        </CreateBase>
      ) : (
        <Issued apiKey={issued} />
      )}
    </Box>
  )
}
