import { Form, LoadError, useApi, useMay } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type HttpError, Loading, SaveButton, Title, useNotify } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { Section } from '../components/Section.tsx'
import { TestMailButton } from '../components/TestMailButton.tsx'
import { useForce } from '../roles/use-force.tsx'
import { SettingInput } from './SettingInput.tsx'
import { changesOf, type Flat, groupsOf, inWords, type Nested, nest, type SettingSchema } from './settings.ts'

interface OpenApi {
  readonly components: { readonly schemas: { readonly Settings: { properties: Record<string, SettingSchema> } } }
}

/** The form is made from what the API says of its settings, so that a plugin's are in it, too. */
function useSettings() {
  const call = useApi()
  return useQuery({
    queryKey: ['settings'],
    queryFn: async () => {
      const [document, { data }] = await Promise.all([
        call<OpenApi>('GET', '/openapi.json'),
        call<{ data: Flat }>('GET', '/settings'),
      ])
      return { stored: data, groups: groupsOf(document.components.schemas.Settings.properties) }
    },
  })
}

function SaveBar() {
  const { isDirty } = useFormState()
  return (
    <Box
      sx={{
        position: 'sticky',
        bottom: 0,
        py: 1.5,
        display: 'flex',
        justifyContent: 'end',
        zIndex: 1,
        bgcolor: 'background.default',
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <SaveButton label="Save changes" icon={null} disabled={!isDirty} alwaysEnable={isDirty} />
    </Box>
  )
}

/** The mail server is no setting: the environment names it. Here one can see whether it works. */
function TestMail() {
  if (!useMay('settings.notifications')) return null
  return (
    <Box sx={{ mt: 2 }}>
      <Section
        title="Mail"
        description="The server is set by GATEHOUSE_MAIL_URL. A test mail to your own address shows whether it works."
        action={<TestMailButton />}
      />
    </Box>
  )
}

function AllSettings() {
  const { data, error } = useSettings()
  const isReadOnly = !useMay('settings.auth')
  const call = useApi()
  const queries = useQueryClient()
  const notify = useNotify()
  const [orForce, question] = useForce()
  if (data === undefined) {
    return (
      <>
        <Title title="Settings" />
        {error === null ? <Loading /> : <LoadError error={error} what="The settings" />}
      </>
    )
  }

  const save = async (form: object) => {
    const changes = changesOf(form as Nested, data.stored)
    try {
      if (Object.keys(changes).length > 0) {
        await orForce((more) => call('PATCH', '/settings', { body: { ...changes, ...more } }))
      }
    } catch (failure) {
      const { body, message } = failure as HttpError
      if (body?.errors === undefined) notify(message, { type: 'error' })
      return nest(inWords(body?.errors ?? {}, data.groups))
    }
    await queries.invalidateQueries({ queryKey: ['settings'] })
    notify('Settings saved', { type: 'success' })
  }

  return (
    <Box sx={{ maxWidth: 760, mx: 'auto' }}>
      <Title title="Settings" />
      {isReadOnly ? (
        <Alert severity="info" sx={{ mb: 2 }}>
          You may read these settings. Changing them takes the permission settings.auth.
        </Alert>
      ) : null}
      <Form record={nest(data.stored)} onSubmit={save} warnWhenUnsavedChanges>
        <Box sx={{ display: 'grid', gap: 2 }}>
          {data.groups.map(({ id, label, settings }) => (
            <Section key={id} title={label}>
              <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
                {settings.map((setting) => (
                  <SettingInput key={setting.name} {...setting} isReadOnly={isReadOnly} />
                ))}
              </Box>
            </Section>
          ))}
        </Box>
        {isReadOnly ? null : <SaveBar />}
      </Form>
      <TestMail />
      {question}
    </Box>
  )
}

/** What reading the settings takes. */
export const readPermissions = ['settings.auth', 'settings.general']

/** The settings; for users who may not read them, what else stands on this page. */
export function SettingsPage() {
  if (useMay(readPermissions)) return <AllSettings />
  return (
    <Box sx={{ maxWidth: 760, mx: 'auto' }}>
      <Title title="Settings" />
      <TestMail />
    </Box>
  )
}
