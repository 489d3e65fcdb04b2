import { Form } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { SaveButton, useEditContext, useNotify } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { nameOf } from '../../api/user-name.ts'
import { Section } from '../components/Section.tsx'
import { undoable } from '../layout/Toast.tsx'
import { reloadSession, type User, useSession } from '../session.ts'
import { changesIn, partOf } from './changes.ts'
import { DangerZone } from './DangerZone.tsx'
import { inputFields } from './fields.tsx'
import { useLookup } from './lookup.ts'
import { fieldGrid, ProfileFields } from './ProfileFields.tsx'
import type { PageProps } from './tab.ts'
import { useUndo } from './undo.ts'

const sources = ['id' as const, ...inputFields.map(({ source }) => source)]

function SaveBar() {
  const { isDirty } = useFormState()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: 1.5 }}>
      <SaveButton label="Save changes" icon={null} />
      {isDirty ? (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          Unsaved changes
        </Box>
      ) : null}
    </Box>
  )
}

/** Says that it was saved; a change of role can be undone. */
function useSaved(): (before: User, after: User) => void {
  const notify = useNotify()
  const undo = useUndo()
  const { roles } = useLookup()
  return (before, after) => {
    if (before.role_id === after.role_id) return notify('The changes were saved.', { type: 'success' })
    const change = { id: after.id, field: 'role_id', before: before.role_id, after: after.role_id } as const
    const done = `${nameOf(after)} has the role ${roles.get(before.role_id)} again.`
    notify(
      `The changes were saved. The role is now ${roles.get(after.role_id)}.`,
      undoable(undo([change], done, 'Undo role')),
    )
  }
}

/** The fields of an account, and its danger zone. */
export function ProfileTab({ user, mayChange, goOn }: PageProps) {
  const record = partOf(user, sources)
  const { save } = useEditContext<User>()
  const saved = useSaved()
  const isYou = useSession().user.id === user.id
  const submit = (values: Record<string, unknown>) => {
    const onSuccess = async (after: User) => {
      saved(user, after)
      if (isYou) await reloadSession()
    }
    // Only the changed fields are sent, so others keep what is stored now.
    return save?.({ ...user, ...changesIn(values, record) }, { onSuccess })
  }
  return (
    <>
      <Section title="Profile" description="The account and the person behind it.">
        <Form record={record} onSubmit={submit} sanitizeEmptyValues={false} warnWhenUnsavedChanges>
          <Box sx={fieldGrid}>
            <ProfileFields part="account" disabled={!mayChange} isYou={isYou} />
            <ProfileFields part="person" disabled={!mayChange} />
          </Box>
          {mayChange ? <SaveBar /> : null}
        </Form>
      </Section>
      {mayChange ? <DangerZone user={user} goOn={goOn} /> : null}
    </>
  )
}
