import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { nameOf } from '../../api/user-name.ts'
import { call } from '../data-provider.ts'
import { undoable } from '../layout/Toast.tsx'
import type { User } from '../session.ts'
import { listAddress } from './list/list-address.ts'
import { ReasonField } from './ReasonField.tsx'
import { type PageProps, useChanged } from './tab.ts'
import { useUndo } from './undo.ts'

export type ActionName = 'reset' | 'resend' | 'invite' | 'confirm' | 'end' | 'ban' | 'unban' | 'delete'

interface Action {
  readonly title: string
  readonly action: string
  readonly text: string
  readonly isDangerous?: boolean
  readonly typed?: string
  readonly work: (reason: string) => Promise<unknown>
  /** Said when it is done. */
  readonly done: string
  /** The status that it gives, which can be taken back. */
  readonly status?: User['status']
  /** A reason can be given. */
  readonly hasField?: true
}

/** The text of an undo; it cannot bring keys back. */
const undone = (user: User, status: User['status']): string =>
  `${nameOf(user)} is ${user.status} again.${status === 'Banned' ? ' Revoked API keys stay revoked.' : ''}`

function actionsOf(user: User): Record<ActionName, Action> {
  const { id, email } = user
  const name = nameOf(user)
  const setStatus = (status: User['status']) => ({
    status,
    work: (reason: string) =>
      call('PATCH', `/users/${id}`, { body: { status, ...(reason.trim() === '' ? {} : { reason }) } }),
  })
  /** Somebody else may have banned them since the question was asked. */
  const confirmAccount = async () => {
    const { status } = (await call<{ data: User }>('GET', `/users/${id}`)).data
    if (status !== 'Unconfirmed') throw new Error(`The account is ${status} by now.`)
    await setStatus('Active').work('')
  }
  return {
    reset: {
      title: `Send a password reset to ${name}?`,
      action: 'Send',
      text: `A link to choose a new password goes to ${email}. The current password works until it is used.`,
      work: () => call('POST', `/users/${id}/password-reset`),
      done: `A link was sent to ${email}.`,
    },
    resend: {
      title: `Send the confirmation to ${name} again?`,
      action: 'Send',
      text: `A new confirmation link goes to ${email}.`,
      work: () => call('POST', `/users/${id}/email-confirmation`),
      done: `A link was sent to ${email}.`,
    },
    invite: {
      title: `Send an invitation to ${name}?`,
      action: 'Send',
      text: `A link to choose a password goes to ${email}. An earlier invitation no longer works.`,
      work: () => call('POST', `/users/${id}/invite`),
      done: `An invitation was sent to ${email}.`,
    },
    confirm: {
      title: `Confirm ${name}?`,
      action: 'Confirm',
      text: `The account becomes Active as if they had followed the link that was sent to ${email}.`,
      status: 'Active',
      work: confirmAccount,
      done: `${name} is active now.`,
    },
    end: {
      title: `End all sessions of ${name}?`,
      action: 'End all',
      text: 'They have to sign in again everywhere. Their API keys keep working.',
      isDangerous: true,
      work: () => call('DELETE', `/users/${id}/sessions`),
      done: 'All sessions were ended.',
    },
    ban: {
      title: `Ban ${name}?`,
      action: 'Ban',
      text: 'They are signed out at once and can no longer sign in. Their API keys are revoked for good.',
      isDangerous: true,
      hasField: true,
      ...setStatus('Banned'),
      done: `${name} was banned.`,
    },
    unban: {
      title: `Unban ${name}?`,
      action: 'Unban',
      text: 'They can sign in again with their password. Revoked API keys stay revoked.',
      ...setStatus('Active'),
      done: `${name} was unbanned.`,
    },
    delete: {
      title: `Delete ${name}?`,
      action: 'Delete',
      text: 'The account is deleted with its sessions, API keys and picture. This cannot be undone.',
      isDangerous: true,
      typed: email,
      work: () => call('DELETE', `/users/${id}`),
      done: `${name} was deleted.`,
    },
  }
}

interface Props extends Pick<PageProps, 'user' | 'goOn'> {
  readonly action: ActionName
  readonly onClose: () => void
}

/** Asks before an action on an account, does it, says so, and offers to undo a change of status. */
export function ActionDialog({ user, action, goOn, onClose }: Props) {
  const notify = useNotify()
  const changed = useChanged(user)
  const client = useQueryClient()
  const undo = useUndo()
  const [reason, setReason] = useState('')
  const { text, work, done, status, ...question } = actionsOf(user)[action]
  const confirm = async () => {
    await work(reason)
    if (status === undefined) notify(done, { type: 'success' })
    else {
      const change = { id: user.id, field: 'status', before: user.status, after: status } as const
      notify(done, undoable(undo([change], undone(user, status))))
    }
    if (action !== 'delete') return changed()
    goOn(listAddress())
    await client.invalidateQueries({ queryKey: ['users', 'getList'] }) // not the user, who no longer exists
  }
  return (
    <ConfirmDialog {...question} onConfirm={confirm} onClose={onClose}>
      {text}
      {question.hasField === true ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ConfirmDialog>
  )
}
