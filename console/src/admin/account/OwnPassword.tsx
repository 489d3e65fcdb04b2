import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { SaveButton } from 'react-admin'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { CurrentPassword, PasswordInputs } from '../users/PasswordInputs.tsx'
import { useSave } from './use-save.ts'

/** A new password, for users who know the current one. */
export function OwnPassword({ user }: { user: User }) {
  const save = useSave(user)
  const [round, setRound] = useState(0)
  const onSubmit = async ({ password, password_confirmation, current_password }: Record<string, unknown>) => {
    const body = { password: password ?? '', password_confirmation: password_confirmation ?? '', current_password }
    const result = await save('/me/details/auth', body, 'Your password was changed.')
    if (result !== true) return result
    setRound(round + 1) // an empty form again
    return undefined
  }
  return (
    <Section
      title="Password"
      description="You stay signed in here. Your other sessions end, and a mail confirms the change."
    >
      <Form key={round} record={{}} onSubmit={onSubmit}>
        <Box sx={{ maxWidth: 420 }}>
          <CurrentPassword />
          <PasswordInputs label="New password" names={[user.email, user.username]} />
          <Box sx={{ mt: 2 }}>
            <SaveButton label="Change the password" icon={null} />
          </Box>
        </Box>
      </Form>
    </Section>
  )
}
