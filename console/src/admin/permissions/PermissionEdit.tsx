import { Form } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/KeyOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { SaveButton, Title, useEditContext } from 'react-admin'
import { RecordPage } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { type Permission, titleOf } from '../roles/grants.ts'
import { NamedFields } from '../roles/NamedFields.tsx'
import { DeleteNamed, EditNamed } from '../roles/NamedRecord.tsx'
import { reloadSession, useSession } from '../session.ts'

/** Reloads permissions wherever else they are shown. */
function useReload(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: ['permissions', 'all'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'permissions'] })
    await reloadSession()
  }
}

function PermissionPage({ permission }: { permission: Permission }) {
  const reload = useReload()
  const isHeld = useSession().permissions.has(permission.name)
  const fixedName = !permission.removable
    ? 'The name of a built-in permission cannot be changed.'
    : isHeld
      ? undefined
      : 'You lack this permission yourself, so you cannot rename or delete it.'
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Title title={titleOf(permission)} />
      {permission.removable ? null : (
        <Alert severity="info">
          This permission is built in: its title and description can be changed, nothing else.
        </Alert>
      )}
      <Section title="Details">
        <Form warnWhenUnsavedChanges>
          <NamedFields
            isPermission
            nameHelp="Applications that ask for the old name turn everybody away after a change."
            fixedName={fixedName}
          />
          <Box sx={{ mt: 2 }}>
            <SaveButton label="Save details" icon={null} />
          </Box>
        </Form>
      </Section>
      {fixedName === undefined ? (
        <DeleteNamed
          noun="permission"
          record={permission}
          text="It is taken from every role and every user who has it."
          question={`No role holds ${permission.name} any more, and applications that ask for it turn everybody away.`}
          onDeleted={reload}
        />
      ) : null}
    </Box>
  )
}

const LoadedPermission = () => (
  <RecordPage
    state={useEditContext<Permission>()}
    noun="permission"
    icon={Icon}
    back={{ to: '/permissions', label: 'Permissions' }}
  >
    {(permission) => <PermissionPage permission={permission} />}
  </RecordPage>
)

/** One permission: its form and its deletion. */
export const PermissionEdit = () => (
  <EditNamed onSaved={useReload()}>
    <LoadedPermission />
  </EditNamed>
)
