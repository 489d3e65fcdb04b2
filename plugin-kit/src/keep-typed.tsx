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

interface Known {
  readonly form: UseFormReturn<FieldValues>
  readonly dirtyFields: Marks
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

/** Inside the form: lets what sends it know its fields. */
export function FormFields({ known, isSending, isGuarded = false }: Props) {
  const form = useFormContext()
  const { dirtyFields } = useFormState()
  known.current = { form, dirtyFields }
  return isGuarded && namesIn(dirtyFields).length > 0 ? <LeaveQuestion isBusy={isSending} /> : null
}

/**
 * Remembers what is about to be sent. What it returns is called once that was saved: those fields count as unchanged then,
 * but not one that somebody has typed on in meanwhile. It returns whether all fields are unchanged now.
 */
export function rememberSent({ current }: KnownForm): () => boolean {
  if (current === undefined) return () => true
  const { form, dirtyFields } = current
  const { control, getValues, resetField } = form
  const sent = namesIn(dirtyFields).map((name) => {
    const began = valueAt(control._defaultValues, name)
    return { name, began, value: getValues(name) as unknown }
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
