import { useOnce } from '@gatehouse/plugin-kit/once'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'

export type Values = Record<string, string>
export type Errors = Record<string, string>

export interface Form {
  readonly isBusy: boolean
  /** One message for each wrong field. */
  readonly errors: Errors
  /** What belongs to no field. */
  readonly failure: ApiError | undefined
  readonly props: {
    readonly ref: React.RefObject<HTMLFormElement | null>
    readonly onSubmit: (event: FormEvent) => void
    readonly noValidate: true
  }
  /** Takes a field's message away: it is being corrected. */
  readonly forget: (name: string) => void
}

interface FormOptions {
  /** Messages for what need not be sent to be seen to be wrong. */
  readonly check?: (values: Values) => Errors
  readonly send: (values: Values) => Promise<void>
  /** The fields that are shown: other fields' messages stand above the form. */
  readonly fields: readonly string[]
  /** Which field gets the cursor after a refusal; the first wrong one unless said otherwise. */
  readonly correct?: (error: ApiError) => string | undefined
}

const given = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([, message]) => message !== ''))

/** A form that sends its fields, puts each message to its field, and the cursor to the first wrong one. */
export function useForm({ check = () => ({}), send, fields, correct }: FormOptions): Form {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<ApiError>()
  const [tries, setTries] = useState(0)
  const named = useRef<string>(undefined)

  useEffect(() => {
    const place = named.current === undefined ? '[aria-invalid=true]' : `[name=${named.current}]`
    const wrong = tries === 0 ? null : ref.current?.querySelector<HTMLInputElement>(place)
    wrong?.focus()
    if (wrong?.type === 'text' || wrong?.type === 'password') wrong.select()
  }, [tries])

  const fail = (error: unknown) => {
    const refusal =
      error instanceof ApiError ? error : new ApiError('Something went wrong. Please try again.', 0, 'unknown')
    named.current = correct?.(refusal)
    const messages = Object.entries(refusal.fields)
    const shown = messages.filter(([name]) => fields.includes(name))
    const elsewhere = messages.find(([name]) => !fields.includes(name))
    setErrors(Object.fromEntries(shown.map(([name, texts]) => [name, texts[0] ?? refusal.message])))
    if (shown.length === 0) {
      setFailure(elsewhere === undefined ? refusal : new ApiError(elsewhere[1].join(' '), refusal.status, refusal.code))
    }
  }

  const [submit, isBusy] = useOnce(async () => {
    if (ref.current === null) return
    const values = Object.fromEntries([...new FormData(ref.current)].map(([name, value]) => [name, String(value)]))
    const wrong = given(check(values))
    setFailure(undefined)
    named.current = undefined
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return setTries((count) => count + 1)
    try {
      await send(values)
    } catch (error) {
      fail(error)
      setTries((count) => count + 1)
    }
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }

  const forget = (name: string) => {
    if (errors[name] !== undefined) setErrors(({ [name]: _corrected, ...others }) => others)
  }
  return { isBusy, errors, failure, forget, props: { ref, onSubmit, noValidate: true } }
}
