import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { type RefObject, useRef } from 'react'
import { type FieldValues, type UseFormReturn, useFormContext, useFormState } from 'react-hook-form'
import { LeaveQuestion } from './LeaveQuestion.tsx'

type Marks = Readonly<Record<string, unknown>>

/** The names of the changed fields: `registration.enabled`. */
const namesIn = (marks: Marks, before = ''): string[] =>
  Object.entries(marks).flatMap(([name, mark]) => {
    if (mark === true || Array.isArray(mark)) return [before + name]
    return typeof mark === 'object' && mark !== null ? namesIn(mark as Marks, `${before}${name}.`) : []
  })

const valueAt = (values: unknown, name: string): unknown =>
  name.split('.').reduce((value, key) => (value as Marks | undefined)?.[key], values)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** As the server stores it: without spaces around it, and nothing as null. */
const asStored = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || null : value)

interface Known {
  readonly form: UseFormReturn<FieldValues>
  readonly dirtyFields: Marks
  /** Of each changed field: what was stored when the change began, and what was sent of it since. */
  readonly ours: Map<string, readonly unknown[]>
}
export type KnownForm = RefObject<Known | undefined>

export const useKnownForm = (): KnownForm => useRef<Known>(undefined)

interface Props {
  readonly known: KnownForm
  /** The form's own state forgets this when the record is loaded again meanwhile. */
  readonly isSending: boolean
  /** Asks before what was typed is given up. */
  readonly isGuarded?: boolean | undefined
}

/** Whether somebody else has changed one of these fields since its change here began. */
function wasChangedElsewhere({ form: { control, getValues }, ours }: Known, names: readonly string[]): boolean {
  for (const name of ours.keys()) if (!names.includes(name)) ours.delete(name)
  return names.some((name) => {
    const stored = valueAt(control._defaultValues, name)
    const known = ours.get(name) ?? [stored]
    ours.set(name, known)
    return ![...known, getValues(name)].some((value) => isSame(asStored(value), asStored(stored)))
  })
}

const ChangedElsewhere = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert
    severity="warning"
    sx={{ mb: 2 }}
    action={
      <Button color="inherit" onClick={onDiscard}>
        Discard mine and load
      </Button>
    }
  >
    What you are changing was changed elsewhere meanwhile. What you typed is kept; saving replaces the other change.
  </Alert>
)

/** Inside the form: lets what sends it know its fields, and says where somebody else has changed the same. */
export function FormFields({ known, isSending, isGuarded = false }: Props) {
  const form = useFormContext()
  const { dirtyFields } = useFormState()
  const names = namesIn(dirtyFields)
  known.current = { form, dirtyFields, ours: known.current?.ours ?? new Map() }
  const isOutdated = wasChangedElsewhere(known.current, names) && !isSending
  return (
    <>
      {isOutdated ? <ChangedElsewhere onDiscard={() => form.reset()} /> : null}
      {isGuarded && names.length > 0 ? <LeaveQuestion isBusy={isSending} /> : null}
    </>
  )
}

/**
 * Remembers what is about to be sent. What it returns is called once that was saved: those fields count as unchanged then,
 * but not one that somebody has typed on in meanwhile. It returns whether all fields are unchanged now.
 */
export function rememberSent({ current }: KnownForm): () => boolean {
  if (current === undefined) return () => true
  const { form, dirtyFields, ours } = current
  const { control, getValues, resetField } = form
  const sent = namesIn(dirtyFields).map((name) => {
    const began = valueAt(control._defaultValues, name)
    const value: unknown = getValues(name)
    ours.set(name, [...(ours.get(name) ?? [began]), value])
    return { name, began, value }
  })
  return () => {
    for (const { name, began, value } of sent) {
      if (!isSame(getValues(name), value)) continue
      // The record may have been loaded already, with what the server made of the value.
      const isLoaded = !isSame(valueAt(control._defaultValues, name), began)
      resetField(name, isLoaded ? {} : { defaultValue: value })
    }
    return namesIn(control._formState.dirtyFields).length === 0
  }
}
