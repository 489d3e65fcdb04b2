import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { type HttpError, SaveButton, useNotify } from 'react-admin'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { PasswordInputs } from './PasswordInputs.tsx'
import { type TabProps, useChanged } from './tab.ts'

/** A new password for the user, who is told by mail and signed out elsewhere. */
export function SetPassword({ user }: Pick<TabProps, 'user'>) {
  const notify = useNotify()
  const changed = useChanged(user)
  const [round, setRound] = useState(0)

  const save = async (values: Record<string, unknown>) => {
    try {
      const { password = '', password_confirmation = '' } = values
      await call('PATCH', `/users/${user.id}`, {
        body: { password: password ?? '', password_confirmation: password_confirmation ?? '' },
      })
    } catch (error) {
      const { body, message } = error as HttpError
      if (body?.errors !== undefined) return body.errors as Record<string, string>
      notify(message, { type: 'error' })
      return {} // not saved, though no field is wrong
    }
    notify('The password was set.', { type: 'success' })
    setRound(round + 1) // an empty form again
    await changed()
    return undefined
  }
  return (
    <Section title="Set a password" description="Their sessions end, and a mail says that the password was changed.">
      <Form key={round} record={{}} onSubmit={save}>
        <Box sx={{ maxWidth: 420 }}>
          <PasswordInputs label="New password" names={[user.email, user.username]} />
          <Box sx={{ mt: 2 }}>
            <SaveButton label="Set the password" icon={null} />
          </Box>
        </Box>
      </Form>
    </Section>
  )
}
