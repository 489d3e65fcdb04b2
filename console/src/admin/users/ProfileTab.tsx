import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useMemo } from 'react'
import { SaveButton } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { Section } from '../components/Section.tsx'
import { type User, useSession } from '../session.ts'
import { DangerZone } from './DangerZone.tsx'
import { AccountFields, fieldGrid, PersonFields } from './ProfileFields.tsx'
import type { TabProps } from './tab.ts'

const fields = [
  ...(['id', 'email', 'username', 'role_id', 'first_name', 'last_name'] as const),
  ...(['phone', 'birthday', 'country_id', 'address'] as const),
]

/**
 * What the form is about, and no more: a new picture or sign-in meanwhile must not take away what is being typed.
 */
function useProfile(user: User) {
  const text = JSON.stringify(Object.fromEntries(fields.map((field) => [field, user[field]])))
  return useMemo(() => JSON.parse(text) as Pick<User, (typeof fields)[number]>, [text])
}

function SaveBar() {
  const { isDirty } = useFormState()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: 1.5 }}>
      <SaveButton label="Save changes" icon={null} />
      {isDirty ? (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          Unsaved changes
        </Box>
      ) : null}
    </Box>
  )
}

export function ProfileTab({ user, mayChange }: TabProps) {
  const record = useProfile(user)
  const isYou = useSession().user.id === user.id
  return (
    <>
      <Section title="Profile" description="What the account is called, and who is behind it.">
        <Form record={record} sanitizeEmptyValues={false} warnWhenUnsavedChanges>
          <Box sx={fieldGrid}>
            <AccountFields disabled={!mayChange} isYou={isYou} />
            <PersonFields disabled={!mayChange} />
          </Box>
          {mayChange ? <SaveBar /> : null}
        </Form>
      </Section>
      {mayChange ? <DangerZone user={user} /> : null}
    </>
  )
}
