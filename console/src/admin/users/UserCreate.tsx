import { Form } from '@gatehouse/plugin-kit/console'
import ArrowBack from '@mui/icons-material/ArrowBack'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { CreateBase, Title, useNotify, useRedirect } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import { CreateActions } from '../components/CreateActions.tsx'
import { Section } from '../components/Section.tsx'
import type { User } from '../session.ts'
import { listAddress } from './list/list-address.ts'
import { PasswordInputs } from './PasswordInputs.tsx'
import { fieldGrid, ProfileFields } from './ProfileFields.tsx'
import { useRoles } from './roles.ts'

function Password() {
  const { control } = useFormContext()
  const [email, username] = useWatch({ control, name: ['email', 'username'] })
  return <PasswordInputs names={[email, username]} />
}

/** What was left empty is not sent; the password always is, so that its absence is said at its field. */
const transform = (values: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
  password: values.password ?? '',
  password_confirmation: values.password_confirmation ?? '',
})

/** A new account, which is Active at once. */
export function UserCreate() {
  const notify = useNotify()
  const redirect = useRedirect()
  const roles = useRoles()
  const usual = roles.find(({ name }) => name === 'User')?.id
  const onSuccess = (user: User) => {
    notify(`${nameOf(user)} was created.`, { type: 'success' })
    redirect(`/users/${user.id}`)
  }
  return (
    <CreateBase transform={transform} mutationOptions={{ onSuccess }} redirect={false}>
      <Title title="New user" />
      <Box sx={{ maxWidth: 720, mx: 'auto' }}>
        <Button
          component={Link}
          to={listAddress()}
          startIcon={<ArrowBack />}
          sx={{ ml: -1, mb: 1, color: 'text.secondary' }}
        >
          Users
        </Button>
        <Form warnWhenUnsavedChanges key={usual === undefined ? 'waiting' : 'ready'} defaultValues={{ role_id: usual }}>
          <Box sx={{ display: 'grid', gap: 2.5 }}>
            <Section title="Account" description="The account can be used at once; no mail is sent about it.">
              <Box sx={fieldGrid}>
                <ProfileFields part="account" />
              </Box>
            </Section>
            <Section title="Password" description="Send it by a channel that you trust. It is not shown again.">
              <Box sx={{ maxWidth: 420 }}>
                <Password />
              </Box>
            </Section>
            <Section title="Person" description="All fields are optional.">
              <Box sx={fieldGrid}>
                <ProfileFields part="person" />
              </Box>
            </Section>
          </Box>
          <CreateActions label="Create the user" back={listAddress()} />
        </Form>
      </Box>
    </CreateBase>
  )
}
