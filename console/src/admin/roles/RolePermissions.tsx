import { LeaveQuestion, LoadError, useOnce, useProblem } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { isCalledOff } from '../called-off.ts'
import { Section } from '../components/Section.tsx'
import { useSession } from '../session.ts'
import {
  type Draft,
  isAdminRole,
  type Role,
  titleOf,
  useGrants,
  usePermissions,
  useSaveGrants,
  whyNotGrant,
  withDraft,
  withoutDeleted,
  withoutStored,
  withToggle,
} from './grants.ts'
import { PermissionChecks } from './PermissionChecks.tsx'
import { useForce } from './use-force.tsx'

const noDraft: Draft = new Map()

/** What the role may do, as check boxes. */
export function RolePermissions({ role }: { role: Role }) {
  const session = useSession()
  const notify = useNotify()
  const saveGrants = useSaveGrants()
  const [orForce, question] = useForce()
  const [ticked, setDraft] = useState(noDraft)
  const [problem, setProblem] = useProblem()
  const all = usePermissions()
  const draft = withoutDeleted(ticked, all.data ?? [])
  const grants = useGrants(role.id)
  const error = all.error ?? grants.error
  const stored = grants.data ?? []
  const checked = isAdminRole(role) ? new Set(all.data?.map(({ name }) => name)) : withDraft(stored, draft)
  const isDirty = draft.size > 0
  const whyNot = (name: string) => whyNotGrant(session, role, stored, name)
  // What is true of all of them is said once.
  const reasons = new Set(all.data?.map(({ name }) => whyNot(name)))
  const isAllFixed = !reasons.has(undefined)

  const [save, isBusy] = useOnce(async () => {
    setProblem(undefined)
    try {
      const { names, problem: left } = await orForce((more) => saveGrants(role.id, draft, more))
      setDraft((now) => withoutStored(now, names))
      if (left === undefined) notify(`The permissions of ${titleOf(role)} were saved.`, { type: 'success' })
      else setProblem(left)
    } catch (failure) {
      if (!isCalledOff(failure)) setProblem((failure as Error).message)
    }
  })

  if (error !== null && (all.data === undefined || grants.data === undefined)) {
    return <LoadError error={error} what="The permissions" />
  }
  return (
    <Section
      title="Permissions"
      description={
        isAdminRole(role)
          ? 'This role always holds every permission, those of plugins and later ones too.'
          : 'What holders of this role may do, from their next request on.'
      }
    >
      {all.data === undefined || grants.data === undefined ? (
        <Skeleton variant="rounded" height={320} />
      ) : (
        <PermissionChecks
          label={`Permissions of ${titleOf(role)}`}
          permissions={all.data}
          checked={checked}
          whyNot={(name) => (isAllFixed ? '' : whyNot(name))}
          onToggle={(name) => setDraft(withToggle(draft, stored, name, isBusy))}
        />
      )}
      {problem === undefined ? null : (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {isAllFixed ? null : (
        <Box
          sx={{ display: 'flex', gap: 1, py: 2, position: 'sticky', bottom: 0, zIndex: 1, bgcolor: 'background.paper' }}
        >
          <Button variant="contained" onClick={save} disabled={!isDirty || isBusy}>
            Save permissions
          </Button>
          {isDirty ? (
            <Button variant="outlined" onClick={() => setDraft(noDraft)} disabled={isBusy}>
              Discard
            </Button>
          ) : null}
        </Box>
      )}
      {isDirty ? <LeaveQuestion /> : null}
      {question}
    </Section>
  )
}
