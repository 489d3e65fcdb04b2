import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { type ComponentProps, type ComponentType, useState } from 'react'
import type { Identifier } from 'react-admin'
import { call } from '../../data-provider.ts'
import { people } from '../../numbers.ts'
import { ReasonField } from '../ReasonField.tsx'
import { ranked } from '../rank.ts'
import { type RoleChoice, useRoles } from '../roles.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { changeOf } from './bulk.ts'
import { JobDialog } from './JobDialog.tsx'

export interface AskProps {
  /** The number of selected users. */
  readonly count: number
  /** All users who match, not only the selected ones. */
  readonly isAll: boolean
  readonly onClose: () => void
}

const titleOfBan = (count: number): string => `Ban ${people(count)}`
const banText = 'They are signed out at once and can no longer sign in. Their API keys are revoked for good.'

function Ban({ count, isAll, onClose }: AskProps) {
  const [reason, setReason] = useState('')
  if (isAll) {
    return (
      <JobDialog title={titleOfBan} done="banned" action="ban" isDangerous onClose={onClose}>
        {banText}
      </JobDialog>
    )
  }
  return (
    <BulkDialog
      title={titleOfBan(count)}
      done="banned"
      isDangerous
      work={changeOf('status', 'Banned', reason.trim() === '' ? {} : { reason })}
      onClose={onClose}
    >
      {banText}
      <ReasonField value={reason} onChange={setReason} />
    </BulkDialog>
  )
}

const titleOfUnban = (count: number): string => `Unban ${people(count)}`
const unbanText = 'Everybody who is selected becomes Active and can sign in again. Revoked API keys stay revoked.'

const Unban = ({ count, isAll, onClose }: AskProps) =>
  isAll ? (
    <JobDialog title={titleOfUnban} done="unbanned" action="activate" onClose={onClose}>
      {unbanText}
    </JobDialog>
  ) : (
    <BulkDialog title={titleOfUnban(count)} done="unbanned" work={changeOf('status', 'Active')} onClose={onClose}>
      {unbanText}
    </BulkDialog>
  )

const remove = async (id: Identifier) => {
  await call('DELETE', `/users/${id}`)
  return undefined
}

const titleOfDelete = (count: number): string => `Delete ${people(count)}`
const deleteText = 'Their accounts are deleted with their sessions, API keys and pictures. This cannot be undone.'

const Delete = ({ count, isAll, onClose }: AskProps) =>
  isAll ? (
    <JobDialog title={titleOfDelete} done="deleted" action="delete" isDangerous isFinal onClose={onClose}>
      {deleteText}
    </JobDialog>
  ) : (
    <BulkDialog title={titleOfDelete(count)} done="deleted" isDangerous work={remove} onClose={onClose}>
      {deleteText}
    </BulkDialog>
  )

const titleOfRole = (count: number): string => `Change the role of ${people(count)}`

function ChangeRole({ count, isAll, onClose }: AskProps) {
  const roles = useRoles()
  const [role, setRole] = useState<RoleChoice | null>(null)
  const content = (
    <>
      Their permissions change with their next request.
      <Autocomplete
        options={roles}
        value={role}
        onChange={(_, chosen) => setRole(chosen)}
        getOptionLabel={({ title }) => title}
        filterOptions={(options, { inputValue }) => ranked(options, inputValue, ({ title }) => title)}
        getOptionKey={({ id }) => id}
        getOptionDisabled={({ isWithinReach }) => !isWithinReach}
        renderInput={(props) => <TextField {...props} label="New role" sx={{ mt: 2 }} />}
      />
    </>
  )
  const shared = {
    done: 'given another role',
    isReady: role !== null,
    onClose,
    children: content,
  }
  return isAll ? (
    <JobDialog {...shared} title={titleOfRole} action="set_role" role={role?.id} />
  ) : (
    <BulkDialog {...shared} title={titleOfRole(count)} work={changeOf('role_id', role?.id ?? 0)} />
  )
}

interface Words {
  readonly title: (count: number) => string
  readonly done: string
  readonly text: string
}

/** The question before an action that always runs as a job. */
const jobDialogOf =
  (action: ComponentProps<typeof JobDialog>['action'], { title, done, text }: Words) =>
  ({ isAll, onClose }: AskProps) => (
    <JobDialog title={title} done={done} action={action} isAll={isAll} isFinal onClose={onClose}>
      {text}
    </JobDialog>
  )

const EndSessions = jobDialogOf('end_sessions', {
  title: (count) => `End the sessions of ${people(count)}`,
  done: 'signed out',
  text: 'They are signed out everywhere, and can sign in again. Their API keys go on working.',
})

const SendReset = jobDialogOf('send_password_reset', {
  title: (count) => `Send a password reset to ${people(count)}`,
  done: 'sent a password reset',
  text: 'Each gets a mail with a link to a new password. The present password works until then.',
})

const ResendConfirmation = jobDialogOf('resend_confirmation', {
  title: (count) => `Send the confirmation to ${people(count)}`,
  done: 'sent the confirmation mail',
  text: 'Who has not confirmed their address yet gets the mail again. The others are left out.',
})

interface Action {
  readonly label: string
  readonly dialog: ComponentType<AskProps>
}

/** What can be done with many users. */
export const actions: readonly Action[] = [
  { label: 'Ban', dialog: Ban },
  { label: 'Unban', dialog: Unban },
  { label: 'Change role', dialog: ChangeRole },
  { label: 'Delete', dialog: Delete },
]

/** The less frequent actions. */
export const moreActions: readonly Action[] = [
  { label: 'End sessions', dialog: EndSessions },
  { label: 'Send a password reset', dialog: SendReset },
  { label: 'Send the confirmation again', dialog: ResendConfirmation },
]
