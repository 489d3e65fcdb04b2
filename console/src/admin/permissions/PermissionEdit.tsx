import { ConfirmDialog, Form } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/KeyOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EditBase, SaveButton, Title, useEditContext, useNotify, useRedirect } from 'react-admin'
import { DangerRow } from '../components/DangerRow.tsx'
import { RecordPage, stayOnError } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { type Permission, titleOf } from '../roles/grants.ts'
import { emptyToNull, NamedFields } from '../roles/NamedFields.tsx'
import { loadSession, useSession } from '../session.ts'

function DeletePermission({ permission }: { permission: Permission }) {
  const [isAsked, setAsked] = useState(false)
  const notify = useNotify()
  const redirect = useRedirect()
  const queries = useQueryClient()
  const title = titleOf(permission)
  const remove = async () => {
    await call('DELETE', `/permissions/${permission.id}`)
    notify(`${title} was deleted.`, { type: 'success' })
    redirect('/permissions')
    await queries.invalidateQueries({ queryKey: ['permissions', 'all'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'permissions'] })
    await loadSession()
  }
  return (
    <Section title="Danger zone">
      <DangerRow
        title="Delete this permission"
        text="It is taken from every role and every user who has it."
        action="Delete"
        isDangerous
        onClick={() => setAsked(true)}
      />
      {isAsked ? (
        <ConfirmDialog
          title={`Delete ${title}?`}
          action="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          No role holds {permission.name} any more, and applications that ask for it turn everybody away. This cannot be
          undone.
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}

function PermissionPage({ permission }: { permission: Permission }) {
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
      {fixedName === undefined ? <DeletePermission permission={permission} /> : null}
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

/** One permission: what it is called, and its end. */
export function PermissionEdit() {
  const notify = useNotify()
  const queries = useQueryClient()
  const onSuccess = async () => {
    notify('The details were saved.', { type: 'success' })
    await queries.invalidateQueries({ queryKey: ['permissions', 'all'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'permissions'] })
    await loadSession()
  }
  return (
    <EditBase<Permission>
      mutationMode="pessimistic"
      redirect={false}
      transform={emptyToNull}
      mutationOptions={{ onSuccess }}
      queryOptions={stayOnError}
    >
      <LoadedPermission />
    </EditBase>
  )
}
