import { Form } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/BadgeOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { SaveButton, Title, useEditContext } from 'react-admin'
import { RecordPage } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { formatNumber } from '../numbers.ts'
import { useSession } from '../session.ts'
import { type Role, titleOf, useGrants, whyNotRole } from './grants.ts'
import { NamedFields, TwoFactorRule } from './NamedFields.tsx'
import { DeleteNamed, EditNamed } from './NamedRecord.tsx'
import { RolePermissions } from './RolePermissions.tsx'

/** Which role those get who have this one. */
const afterwards = ({ users_count: users }: Role): string =>
  users === 0
    ? 'Nobody has it.'
    : `${users === 1 ? 'The one user who has it gets' : `The ${formatNumber(users)} users who have it get`} the role User instead.`

function RolePage({ role }: { role: Role }) {
  const session = useSession()
  const queries = useQueryClient()
  const { data: names } = useGrants(role.id)
  const why = names === undefined ? undefined : whyNotRole(session, role, names)
  const isReadOnly = names === undefined || why !== undefined
  const reload = async () => {
    await queries.invalidateQueries({ queryKey: ['roles', 'getList'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'choices'] })
  }
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
          {why === undefined ? (
            <Box sx={{ mt: 2 }}>
              <SaveButton label="Save details" icon={null} disabled={isReadOnly} />
            </Box>
          ) : null}
        </Form>
      </Section>
      <RolePermissions role={role} />
      {role.removable && !isReadOnly ? (
        <DeleteNamed noun="role" record={role} text={afterwards(role)} onDeleted={reload} />
      ) : null}
    </Box>
  )
}

const LoadedRole = () => (
  <RecordPage state={useEditContext<Role>()} noun="role" icon={Icon} back={{ to: '/roles', label: 'Roles' }}>
    {(role) => <RolePage role={role} />}
  </RecordPage>
)

/** One role: what it is called, what it may do, and its end. */
export const RoleEdit = () => (
  <EditNamed>
    <LoadedRole />
  </EditNamed>
)
