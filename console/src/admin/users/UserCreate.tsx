import { Form, LockedWhileSent, useGoOn } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { CreateBase, Title, useNotify } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { nameOf } from '../../api/user-name.ts'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { listAddress } from './list/list-address.ts'
import { PasswordInputs } from './PasswordInputs.tsx'
import { fieldGrid, ProfileFields } from './ProfileFields.tsx'
import { type RoleChoice, useRoleChoices } from './roles.ts'

const passwordHint = 'Send it by a channel that you trust. It is not shown again.'

function Password() {
  const { control } = useFormContext()
  const [email, username] = useWatch({ control, name: ['email', 'username'] })
  return <PasswordInputs names={[email, username]} />
}

/** Empty fields are not sent, except the password: its error then appears at its field. */
const withPassword = (values: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
  password: values.password ?? '',
  password_confirmation: values.password_confirmation ?? '',
})

/** An invited person chooses the password. */
const withoutPassword = (values: Record<string, unknown>) => {
  const { password: _, password_confirmation: __, ...others } = withPassword(values)
  return others
}

/** The role that most accounts have; undefined while the roles are loaded. */
const usualOf = (roles: readonly RoleChoice[] = []) => roles.find(({ name }) => name === 'User')?.id

/** A new account, which is Active at once, or an invitation. */
export function UserCreate() {
  const notify = useNotify()
  const goOn = useGoOn()
  const { data: roles, refetch } = useRoleChoices()
  const [isInvited, setInvited] = useState(false)
  /** Who is quicker than the list of roles waits for it, and gives the same role. */
  const transform = async (values: Record<string, unknown>) => {
    const role_id = values.role_id ?? usualOf(roles ?? (await refetch({ cancelRefetch: false })).data)
    return (isInvited ? withoutPassword : withPassword)({ ...values, role_id })
  }
  const onSuccess = (user: User) => {
    notify(isInvited ? `${nameOf(user)} was invited.` : `${nameOf(user)} was created.`, { type: 'success' })
    goOn(`/users/${user.id}`)
  }
  return (
    <CreateBase
      transform={transform}
      mutationOptions={{ onSuccess, ...(isInvited ? { meta: { path: '/users/invite' } } : {}) }}
      redirect={false}
    >
      <Title title="New user" />
      <Box sx={{ maxWidth: 720, mx: 'auto' }}>
        <BackLink to={listAddress()}>Users</BackLink>
        <Form warnWhenUnsavedChanges defaultValues={{ role_id: usualOf(roles) }}>
          <LockedWhileSent>
            <Box sx={{ display: 'grid', gap: 2.5 }}>
              <Section
                title="Account"
                description={
                  isInvited
                    ? 'A link goes to the address. It works once, within 72 hours.'
                    : 'The account can be used at once; no mail is sent about it.'
                }
              >
                <Box sx={fieldGrid}>
                  <ProfileFields part="account" />
                </Box>
              </Section>
              <Section title="Password" description={isInvited ? undefined : passwordHint}>
                <FormControlLabel
                  control={<Switch checked={isInvited} onChange={(_, isOn) => setInvited(isOn)} />}
                  label="Let them choose it: send an invitation"
                />
                {isInvited ? null : (
                  <Box sx={{ maxWidth: 420, mt: 1 }}>
                    <Password />
                  </Box>
                )}
              </Section>
              <Section title="Person" description="All fields are optional.">
                <Box sx={fieldGrid}>
                  <ProfileFields part="person" />
                </Box>
              </Section>
            </Box>
          </LockedWhileSent>
          <CreateActions label={isInvited ? 'Invite the user' : 'Create the user'} back={listAddress()} />
        </Form>
      </Box>
    </CreateBase>
  )
}
