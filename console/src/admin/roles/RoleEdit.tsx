import { ConfirmDialog, Form } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/BadgeOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EditBase, SaveButton, Title, useEditContext, useNotify, useRedirect } from 'react-admin'
import { DangerRow } from '../components/DangerRow.tsx'
import { RecordPage, stayOnError } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { useSession } from '../session.ts'
import { type Role, titleOf, useGrants, whyNotRole } from './grants.ts'
import { emptyToNull, NamedFields, TwoFactorRule } from './NamedFields.tsx'
import { RolePermissions } from './RolePermissions.tsx'

function DeleteRole({ role }: { role: Role }) {
  const [isAsked, setAsked] = useState(false)
  const notify = useNotify()
  const redirect = useRedirect()
  const queries = useQueryClient()
  const title = titleOf(role)
  const { users_count: users } = role
  const moved =
    users === 0
      ? 'Nobody has it.'
      : `${users === 1 ? 'The one user who has it gets' : `The ${users.toLocaleString('en')} users who have it get`} the role User instead.`
  const remove = async () => {
    await call('DELETE', `/roles/${role.id}`)
    notify(`${title} was deleted.`, { type: 'success' })
    redirect('/roles')
    await queries.invalidateQueries({ queryKey: ['roles', 'getList'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'choices'] })
  }
  return (
    <Section title="Danger zone">
      <DangerRow title="Delete this role" text={moved} action="Delete" isDangerous onClick={() => setAsked(true)} />
      {isAsked ? (
        <ConfirmDialog
          title={`Delete ${title}?`}
          action="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          {moved} This cannot be undone.
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}

function RolePage({ role }: { role: Role }) {
  const session = useSession()
  const { data: names } = useGrants(role.id)
  const why = names === undefined ? undefined : whyNotRole(session, role, names)
  const isReadOnly = names === undefined || why !== undefined
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Title title={titleOf(role)} />
      {why === undefined ? null : <Alert severity="info">{why}</Alert>}
      <Section title="Details">
        <Form warnWhenUnsavedChanges>
          <NamedFields
            nameHelp="The name that applications use."
            fixedName={role.removable ? undefined : 'The name of a built-in role cannot be changed.'}
            disabled={isReadOnly}
          />
          <TwoFactorRule disabled={isReadOnly} />
          {isReadOnly ? null : (
            <Box sx={{ mt: 2 }}>
              <SaveButton label="Save details" icon={null} />
            </Box>
          )}
        </Form>
      </Section>
      <RolePermissions role={role} />
      {role.removable && !isReadOnly ? <DeleteRole role={role} /> : null}
    </Box>
  )
}

const LoadedRole = () => (
  <RecordPage state={useEditContext<Role>()} noun="role" icon={Icon} back={{ to: '/roles', label: 'Roles' }}>
    {(role) => <RolePage role={role} />}
  </RecordPage>
)

/** One role: what it is called, what it may do, and its end. */
export function RoleEdit() {
  const notify = useNotify()
  const onSuccess = () => notify('The details were saved.', { type: 'success' })
  return (
    <EditBase<Role>
      mutationMode="pessimistic"
      redirect={false}
      transform={emptyToNull}
      mutationOptions={{ onSuccess }}
      queryOptions={stayOnError}
    >
      <LoadedRole />
    </EditBase>
  )
}
