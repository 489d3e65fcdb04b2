import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useMemo } from 'react'
import { SaveButton } from 'react-admin'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { fieldGrid, PersonFields } from '../users/ProfileFields.tsx'
import { useSave } from './use-save.ts'

const fields = ['first_name', 'last_name', 'phone', 'birthday', 'country_id', 'address'] as const
type Details = Pick<User, (typeof fields)[number]>

/** What the form is about, and no more: a new picture meanwhile must not take away what is being typed. */
function useDetails(user: User): Details {
  const text = JSON.stringify(Object.fromEntries(fields.map((field) => [field, user[field]])))
  return useMemo(() => JSON.parse(text) as Details, [text])
}

export function OwnDetails({ user }: { user: User }) {
  const record = useDetails(user)
  const save = useSave(user)
  const onSubmit = async (values: Record<string, unknown>) => {
    const changes = fields.filter((field) => (values[field] ?? null) !== record[field])
    const body = Object.fromEntries(changes.map((field) => [field, values[field] ?? null]))
    const result = await save('/me/details', body, 'Your details were saved.')
    return result === true ? undefined : result
  }
  return (
    <Section title="Details" description="All fields are optional.">
      <Form record={record} onSubmit={onSubmit} sanitizeEmptyValues={false} warnWhenUnsavedChanges>
        <Box sx={fieldGrid}>
          <PersonFields />
        </Box>
        <Box sx={{ mt: 1.5 }}>
          <SaveButton label="Save details" icon={null} />
        </Box>
      </Form>
    </Section>
  )
}
