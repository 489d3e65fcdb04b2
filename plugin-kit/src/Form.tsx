import { useRef } from 'react'
import {
  Form as AnyForm,
  SimpleForm as AnySimpleForm,
  type FormProps,
  type SimpleFormProps,
  useSaveContext,
} from 'react-admin'
import { useOnce } from './once.ts'

type Send = (values: object, event?: unknown) => Promise<unknown>

/** A second click this soon after the answer, with nothing changed in between, belongs to the first. */
const doubleClickMs = 400

/** What the form sends with, made safe against being sent twice. */
function useSafeSubmit(onSubmit: unknown): Send {
  const { save } = useSaveContext() ?? {}
  const last = useRef({ text: '', endedAt: Number.NEGATIVE_INFINITY })
  const [send] = useOnce(async (values: object, event?: unknown) => {
    const text = JSON.stringify(values)
    if (text === last.current.text && performance.now() - last.current.endedAt < doubleClickMs) return undefined
    const form = (event as { target?: HTMLElement } | undefined)?.target
    const errors = await ((onSubmit ?? save) as Send | undefined)?.(values, event)
    // What was refused may be sent again at once.
    if (errors == null) last.current = { text, endedAt: performance.now() }
    else setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    return errors
  })
  return send
}

/**
 * react-admin's form that cannot be sent twice: a submit while one is on its way is ignored. Messages are our own; the
 * browser's bubbles are switched off. The first wrong field gets the cursor, so no notification is needed, and none covers it.
 */
export function Form(props: FormProps) {
  const send = useSafeSubmit(props.onSubmit)
  return <AnyForm noValidate disableInvalidFormNotification {...props} onSubmit={send as never} />
}

/** The same with react-admin's layout and toolbar. */
export function SimpleForm(props: SimpleFormProps) {
  const send = useSafeSubmit(props.onSubmit)
  return <AnySimpleForm noValidate disableInvalidFormNotification {...props} onSubmit={send as never} />
}
