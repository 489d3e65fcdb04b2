import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { SaveButton } from 'react-admin'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { changesIn, partOf } from '../users/changes.ts'
import { inputFields } from '../users/fields.tsx'
import { fieldGrid, ProfileFields } from '../users/ProfileFields.tsx'
import { useSave } from './use-save.ts'

const sources = inputFields.filter(({ input }) => input?.part === 'person').map(({ source }) => source)

export function OwnDetails({ user }: { user: User }) {
  const record = partOf(user, sources)
  const save = useSave(user)
  const onSubmit = async (values: Record<string, unknown>) => {
    const result = await save('/me/details', changesIn(values, record), 'Your details were saved.')
    return result === true ? undefined : result
  }
  return (
    <Section title="Details" description="All fields are optional.">
      <Form record={record} onSubmit={onSubmit} sanitizeEmptyValues={false} warnWhenUnsavedChanges>
        <Box sx={fieldGrid}>
          <ProfileFields part="person" isYou />
        </Box>
        <Box sx={{ mt: 1.5 }}>
          <SaveButton label="Save details" icon={null} />
        </Box>
      </Form>
    </Section>
  )
}
