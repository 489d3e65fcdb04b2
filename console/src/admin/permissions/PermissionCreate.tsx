import { Form, LockedWhileSent, useGoOn } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { CreateBase, Title, useNotify } from 'react-admin'
import { BackLink } from '../components/BackLink.tsx'
import { CreateActions } from '../components/CreateActions.tsx'
import { Section } from '../components/Section.tsx'
import { type Permission, titleOf } from '../roles/grants.ts'
import { emptyToNull, NamedFields } from '../roles/NamedFields.tsx'
import { reloadSession } from '../session.ts'

/** A permission of the application's own. */
export function PermissionCreate() {
  const notify = useNotify()
  const goOn = useGoOn()
  const queries = useQueryClient()
  const onSuccess = async (permission: Permission) => {
    notify(`${titleOf(permission)} was created.`, { type: 'success' })
    await queries.invalidateQueries({ queryKey: ['permissions'] })
    await reloadSession() // an administrator holds it from now on
    goOn('/permissions')
  }
  return (
    <CreateBase transform={emptyToNull} mutationOptions={{ onSuccess }} redirect={false}>
      <Title title="New permission" />
      <Box sx={{ maxWidth: 760, mx: 'auto' }}>
        <BackLink to="/permissions">Permissions</BackLink>
        <Form warnWhenUnsavedChanges>
          <LockedWhileSent>
            <Section
              title="New permission"
              description="For your own applications: they ask whether a user holds it. Administrators hold it at once; give it to other roles afterwards."
            >
              <NamedFields isPermission nameHelp="What applications ask for: “invoices.read”." />
            </Section>
          </LockedWhileSent>
          <CreateActions label="Create the permission" back="/permissions" />
        </Form>
      </Box>
    </CreateBase>
  )
}
