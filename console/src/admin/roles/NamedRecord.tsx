import { ConfirmDialog, useGoOn } from '@gatehouse/plugin-kit/console'
import { type ReactNode, useState } from 'react'
import { EditBase, useEditContext, useNotify } from 'react-admin'
import { DangerRow } from '../components/DangerRow.tsx'
import { stayOnError } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { titleOf } from './grants.ts'
import { emptyToNull } from './NamedFields.tsx'

interface EditProps {
  readonly onSaved?: () => Promise<void>
  readonly children: ReactNode
}

/** The form of a role or a permission: it stays where it is once it was saved. */
export function EditNamed({ onSaved, children }: EditProps) {
  const notify = useNotify()
  const onSuccess = async () => {
    notify('The details were saved.', { type: 'success' })
    await onSaved?.()
  }
  return (
    <EditBase
      mutationMode="pessimistic"
      redirect={false}
      transform={emptyToNull}
      mutationOptions={{ onSuccess }}
      queryOptions={stayOnError}
    >
      {children}
    </EditBase>
  )
}

interface DeleteProps {
  readonly noun: 'role' | 'permission'
  readonly record: { readonly id: number; readonly name: string; readonly display_name: string | null }
  /** What becomes of those who have it. */
  readonly text: string
  /** What is asked; `text` unless said otherwise. */
  readonly question?: string
  readonly onDeleted: () => Promise<void>
}

/** Deletes a role or a permission after a question. */
export function DeleteNamed({ noun, record, text, question = text, onDeleted }: DeleteProps) {
  const [isAsked, setAsked] = useState(false)
  const notify = useNotify()
  const goOn = useGoOn()
  const { refetch } = useEditContext()
  const title = titleOf(record)
  const ask = () => {
    setAsked(true)
    refetch() // who has it by now
  }
  const remove = async () => {
    await call('DELETE', `/${noun}s/${record.id}`)
    notify(`${title} was deleted.`, { type: 'success' })
    goOn(`/${noun}s`)
    await onDeleted()
  }
  return (
    <Section title="Danger zone">
      <DangerRow title={`Delete this ${noun}`} text={text} action="Delete" isDangerous onClick={ask} />
      {isAsked ? (
        <ConfirmDialog
          title={`Delete ${title}?`}
          action="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          {question} This cannot be undone.
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}
