import { Form, LockedWhileSent, useGoOn } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { CreateBase, Title, useNotify } from 'react-admin'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { Section } from '../components/Section.tsx'
import { type Role, titleOf } from './grants.ts'
import { emptyToNull, NamedFields, TwoFactorRule } from './NamedFields.tsx'

/** A new role, which holds nothing yet: its page, which comes next, gives it permissions. */
export function RoleCreate() {
  const notify = useNotify()
  const goOn = useGoOn()
  const onSuccess = (role: Role) => {
    notify(`${titleOf(role)} was created. Now choose what it may do.`, { type: 'success' })
    goOn(`/roles/${role.id}`)
  }
  return (
    <CreateBase transform={emptyToNull} mutationOptions={{ onSuccess }} redirect={false}>
      <Title title="New role" />
      <Box sx={{ maxWidth: 760, mx: 'auto' }}>
        <BackLink to="/roles">Roles</BackLink>
        <Form warnWhenUnsavedChanges>
          <LockedWhileSent>
            <Section title="New role" description="It holds no permission until you give it some, in the next step.">
              <NamedFields nameHelp="What applications know it by: “Support”." />
              <TwoFactorRule />
            </Section>
          </LockedWhileSent>
          <CreateActions label="Create the role" back="/roles" />
        </Form>
      </Box>
    </CreateBase>
  )
}
