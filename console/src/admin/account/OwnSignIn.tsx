import { Form, LockedWhileSent } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useMemo, useState } from 'react'
import { email as isEmail, required, SaveButton, TextInput } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { asTyped } from '../../design/as-typed.ts'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { CurrentPassword } from '../users/PasswordInputs.tsx'
import { fieldGrid } from '../users/ProfileFields.tsx'
import { useSave } from './use-save.ts'

const emailRules = [required('An email address is needed.'), isEmail('This is not an email address.')]

/** The password is asked for once there is something to save. */
function Confirmation() {
  const { dirtyFields } = useFormState()
  if (dirtyFields.email === undefined && dirtyFields.username === undefined) return null
  return (
    <>
      <Box sx={{ maxWidth: 420 }}>
        <CurrentPassword />
      </Box>
      <Box sx={{ mt: 1.5 }}>
        <SaveButton label="Save sign-in" icon={null} />
      </Box>
    </>
  )
}

/** Address and username. A new address counts once the link that is sent to it was opened. */
export function OwnSignIn({ user }: { user: User }) {
  const { email, username } = user
  const [round, setRound] = useState(0)
  const [waiting, setWaiting] = useState<string>()
  const record = useMemo(() => ({ email, username }), [email, username])
  const save = useSave(user)
  const onSubmit = async (values: Record<string, unknown>) => {
    const changes = (['email', 'username'] as const).filter((field) => (values[field] ?? null) !== record[field])
    const body = Object.fromEntries(changes.map((field) => [field, values[field] ?? null]))
    const isOther = changes.includes('email')
    const said = isOther ? 'Open the link in the mail that was sent.' : 'Your username was saved.'
    const { current_password } = values
    const result = await save('/me/details/auth', { ...body, current_password }, said)
    if (result !== true) return result
    setWaiting(isOther ? String(values.email) : waiting)
    setRound(round + 1)
    return undefined
  }
  return (
    <Section title="Sign-in" description="You sign in with either of them and your password.">
      {waiting === undefined || waiting === email ? null : (
        <Alert severity="info" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
          We sent a link to {waiting}. The new address counts once the link was opened; until then, {email} stays.
        </Alert>
      )}
      <Form key={round} record={record} onSubmit={onSubmit} sanitizeEmptyValues={false}>
        <LockedWhileSent>
          <Box sx={fieldGrid}>
            <TextInput source="email" type="email" validate={emailRules} helperText={false} autoComplete="email" />
            <TextInput
              source="username"
              helperText={false}
              autoComplete="username"
              slotProps={{ htmlInput: asTyped }}
            />
          </Box>
          <Confirmation />
        </LockedWhileSent>
      </Form>
    </Section>
  )
}
