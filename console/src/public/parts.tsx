import { useOnce } from '@gatehouse/plugin-kit/once'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { home } from '../api/address.ts'
import { digitsIn } from '../api/challenge.ts'
import type { ApiError } from '../api/client.ts'
import { asTyped } from '../design/as-typed.ts'
import { LogoMark } from '../design/Logo.tsx'
import type { Form } from './form.tsx'
import { type Handed, navigate } from './router.ts'

/** A link between the public pages: a real address, opened without a page load. */
export const PageLink = ({ to, handed = {}, ...rest }: { to: string; handed?: Handed } & ComponentProps<'a'>) => (
  <a
    {...rest}
    href={home + to}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      navigate(to, handed)
    }}
  />
)

interface FrameProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
  /** Below the card's line: where else one might want to go. */
  readonly foot?: ReactNode
}

/** What every public page looks like. The title gets the focus after a change of page, so that it is read out. */
export function Frame({ title, lead, children, foot }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Gatehouse`
    // A field that asks for the focus keeps it.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [title])
  return (
    <div className="frame">
      <main className="card">
        <p className="brand">
          <LogoMark /> Gatehouse
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead === undefined ? null : <div className="lead">{lead}</div>}
        {children}
        {foot === undefined ? null : <div className="foot">{foot}</div>}
      </main>
    </div>
  )
}

/** A message for the whole page: read out as it comes. */
export const Notice = ({ tone, children }: { tone: 'error' | 'success' | 'info'; children: ReactNode }) => (
  <div className={`notice ${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
    {children}
  </div>
)

const doneWords: Record<string, string> = {
  registered: 'Your account is ready.',
  confirmed: 'Your email address is confirmed.',
  reset: 'Your password is changed.',
  invited: 'Your account is ready.',
}

/** What the page before has brought to its end. */
export const Done = ({ what, next = '' }: { what: string; next?: string }) =>
  doneWords[what] === undefined ? null : (
    <Notice tone="success">
      {doneWords[what]} {next}
    </Notice>
  )

/** Always there, so that what appears in it is read out. On a phone the button that was pressed may be far below. */
export function Failure({ form: { failure } }: { form: Form }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  return (
    <div role="alert" ref={place}>
      {failure === undefined ? null : <div className="notice error">{failure.message}</div>}
    </div>
  )
}

/** Why something outside of a form could not be done; empty while it can. */
export const Problem = ({ text }: { text: string }) => (
  <div role="alert">{text === '' ? null : <div className="notice error">{text}</div>}</div>
)

interface FieldProps extends Omit<ComponentProps<'input'>, 'form'> {
  readonly form: Form
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Seen at the end of the label's line, reached after the field: a link. */
  readonly aside?: ReactNode
  /** Inside the field, at its end. */
  readonly inside?: ReactNode
  /** Between the field and its message, and describing it: what is asked of it. */
  readonly below?: ReactNode
}

/** A labelled field whose message has its place kept free, so that nothing moves when it comes. */
export function Field({ form, name, label, hint, aside, inside, below, onInput, ...input }: FieldProps) {
  const id = useId()
  const error = form.errors[name]
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="control">
        <input
          {...input}
          id={id}
          name={name}
          aria-invalid={error !== undefined}
          aria-describedby={below === undefined ? `${id}-message` : `${id}-message ${id}-below`}
          onInput={(event) => {
            form.forget(name)
            onInput?.(event)
          }}
        />
        {inside}
      </div>
      {below === undefined ? null : <div id={`${id}-below`}>{below}</div>}
      <p className={error === undefined ? 'message' : 'message wrong'} id={`${id}-message`} aria-live="polite">
        {error ?? hint}
      </p>
      {aside === undefined ? null : <div className="aside">{aside}</div>}
    </div>
  )
}

const digits = 6

/** Six digits, however they are typed or pasted (see {@link digitsIn}); the last one sends them. */
export const CodeField = ({ form, autoFocus = true }: { form: Form; autoFocus?: boolean }) => (
  <Field
    form={form}
    name="token"
    label="Code"
    type="text"
    className="code"
    autoComplete="one-time-code"
    inputMode="numeric"
    maxLength={10}
    spellCheck={false}
    autoFocus={autoFocus}
    onInput={({ currentTarget }) => {
      if (digitsIn(currentTarget.value).length === digits) currentTarget.form?.requestSubmit()
    }}
  />
)

const Eye = ({ isOpen }: { isOpen: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" strokeLinejoin="round" />
    <circle cx="12" cy="12" r="3" />
    {isOpen ? null : <path d="M4 20 20 4" />}
  </svg>
)

/** A password, hidden unless asked to be shown. */
export function PasswordField(props: Omit<FieldProps, 'inside' | 'type'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      {...asTyped}
      inside={
        <button
          type="button"
          className="reveal"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Eye isOpen={isShown} />
        </button>
      }
    />
  )
}

/** The button that sends the form. It keeps the focus while it waits, and a second click does nothing. */
export const Submit = ({ form, children }: { form: Form; children: ReactNode }) => (
  <button type="submit" className="primary" aria-disabled={form.isBusy} data-busy={form.isBusy || undefined}>
    <span>{children}</span>
  </button>
)

/** How long one waits before the same mail is sent again (the server sends one a minute). */
const waitSeconds = 60

/** Sends something again, and then waits. */
export function AgainButton({
  label,
  send,
  isWaiting = true,
}: {
  label: string
  send: () => Promise<unknown>
  isWaiting?: boolean
}) {
  const [left, setLeft] = useState(isWaiting ? waitSeconds : 0)
  const [state, setState] = useState('')
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const [again, isBusy] = useOnce(async () => {
    if (left > 0) return
    setState('')
    try {
      await send()
      setState('Sent.')
      setLeft(waitSeconds)
    } catch (error) {
      const { message, status, retryAfterSeconds = waitSeconds } = error as ApiError
      setState(message)
      if (status === 429) setLeft(retryAfterSeconds) // else it can be tried at once
    }
  })
  return (
    <>
      <button
        type="button"
        className="secondary"
        onClick={again}
        aria-disabled={isBusy || left > 0}
        data-busy={isBusy || undefined}
      >
        <span className="count">
          {label}
          {left > 0 ? ` in ${left} s` : null}
        </span>
      </button>
      <p className="message" role="status">
        {state}
      </p>
    </>
  )
}
