import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  Form as AnyForm,
  SimpleForm as AnySimpleForm,
  type FormProps,
  type SimpleFormProps,
  useNotify,
  useSaveContext,
} from 'react-admin'
import { useFormState } from 'react-hook-form'
import { useIsHere } from './here.ts'
import { FormFields, type KnownForm, rememberSent, useKnownForm } from './keep-typed.tsx'
import { useOnce } from './once.ts'

interface OurProps extends FormProps {
  /** Everything in the form was saved: nobody has typed on meanwhile. */
  readonly onSaved?: (() => void) | undefined
}

type Send = (values: object, event?: unknown) => Promise<unknown>

/** A second click this soon after the answer, with nothing changed in between, belongs to the first. */
const doubleClickMs = 400

/** react-admin's own `save` resolves also after a failure that names no field: only its mutation knows. */
function useHasFailed(): (sinceMs: number) => boolean {
  const mutations = useQueryClient().getMutationCache()
  return (sinceMs) => mutations.getAll().some(({ state }) => state.status === 'error' && state.submittedAt >= sinceMs)
}

const messagesIn = (errors: object, before = ''): [name: string, text: string][] =>
  Object.entries(errors).flatMap(([name, error]) =>
    typeof error === 'object' && error !== null
      ? messagesIn(error, `${before}${name}.`)
      : [[before + name, String(error)]],
  )

/**
 * The errors of the fields that the form has. The others are said in a notification: at a field that is not there nobody would
 * see them, and the form could never be sent again. So are all of them to whoever has left the form meanwhile.
 */
function useShown(known: KnownForm): (errors: unknown) => unknown {
  const notify = useNotify()
  const isHere = useIsHere()
  return (errors) => {
    const { mount } = known.current?.form.control._names ?? {}
    if (typeof errors !== 'object' || errors === null || mount === undefined) return errors
    const messages = messagesIn(errors)
    const elsewhere = messages.filter(([name]) => !mount.has(name) || !isHere())
    if (elsewhere.length > 0) notify(elsewhere.map(([, text]) => text).join(' '), { type: 'error' })
    return Object.fromEntries(messages.filter(([name]) => mount.has(name)))
  }
}

/** What the form sends with, made safe against being sent twice. */
function useSafeSubmit(
  { onSubmit, onSaved }: Pick<OurProps, 'onSubmit' | 'onSaved'>,
  known: KnownForm,
): [send: Send, isSending: boolean] {
  const { save } = useSaveContext() ?? {}
  const hasFailed = useHasFailed()
  const shown = useShown(known)
  const last = useRef({ text: '', endedAt: Number.NEGATIVE_INFINITY })
  return useOnce(async (values: object, event?: unknown) => {
    const text = JSON.stringify(values)
    if (text === last.current.text && performance.now() - last.current.endedAt < doubleClickMs) return undefined
    const wasSaved = rememberSent(known)
    const startedMs = Date.now()
    const errors = await ((onSubmit ?? save) as Send | undefined)?.(values, event)
    // What was refused may be sent again at once.
    if (errors == null && !hasFailed(startedMs)) {
      last.current = { text, endedAt: performance.now() }
      if (wasSaved()) onSaved?.()
    }
    return shown(errors)
  })
}

/** A switch is not marked itself: its message is. */
const wrong = '[aria-invalid=true], .MuiFormGroup-root:has(> .Mui-error) input'

/** Inside the form: the first wrong field gets the cursor, once it is drawn as wrong. */
function CursorToWrong() {
  const place = useRef<HTMLElement>(null)
  const { submitCount, isSubmitSuccessful } = useFormState()
  useEffect(() => {
    if (submitCount === 0 || isSubmitSuccessful) return
    place.current?.closest('form')?.querySelector<HTMLElement>(wrong)?.focus()
  }, [submitCount, isSubmitSuccessful])
  return <span ref={place} hidden />
}

const usual = {
  noValidate: true,
  disableInvalidFormNotification: true,
  // Where the record is loaded again, what was typed stays, and so do the messages at the fields.
  resetOptions: { keepDirtyValues: true, keepDirty: true, keepErrors: true },
} as const

/** The props of react-admin's form, with what makes it ours. */
function useOurForm<P extends OurProps>({ children, warnWhenUnsavedChanges, onSaved, ...props }: P) {
  const known = useKnownForm()
  const [send, isSending] = useSafeSubmit({ onSubmit: props.onSubmit, onSaved }, known)
  const all = (
    <>
      <FormFields known={known} isSending={isSending} isGuarded={warnWhenUnsavedChanges} />
      <CursorToWrong />
      {children}
    </>
  )
  return { ...usual, ...props, onSubmit: send as never, children: all }
}

/**
 * react-admin's form that cannot be sent twice: a submit while one is on its way is ignored. What is typed meanwhile stays.
 * Messages are our own; the browser's bubbles are switched off. The first wrong field gets the cursor, so no notification is
 * needed, and none covers it.
 */
export const Form = (props: OurProps) => <AnyForm {...useOurForm(props)} />

/** The same with react-admin's layout and toolbar. */
export const SimpleForm = (props: SimpleFormProps) => <AnySimpleForm {...useOurForm(props)} />
