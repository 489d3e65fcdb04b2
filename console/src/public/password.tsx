import { type ReactNode, useState } from 'react'
import type { Errors, Form, Values } from './form.tsx'
import { PasswordField } from './parts.tsx'

const longest = 256

/** As the server compares names: NFKC, case-folded, trimmed. */
const canonical = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

const lengthOf = (text: string): number => [...text].length

const isAccountName = (password: string, names: readonly string[]): boolean =>
  password !== '' && names.some((name) => name !== '' && canonical(name) === canonical(password))

/** What the server would refuse, found before it is asked: how easy a password is to guess only it knows. */
export function checkNewPassword(values: Values, minLength: number, names: readonly string[]): Errors {
  const { password = '', password_confirmation = '' } = values
  const repeated = password_confirmation === password ? '' : 'The passwords do not match.'
  if (password === '') return { password: 'Choose a password.' }
  if (lengthOf(password) < minLength) return { password: `Use at least ${minLength} characters.` }
  if (lengthOf(password) > longest) return { password: `Use at most ${longest} characters.` }
  if (isAccountName(password, names)) return { password: 'This is your email or username.' }
  return { password_confirmation: password_confirmation === '' ? 'Repeat the password.' : repeated }
}

/** A rule, and whether what is typed keeps it: by shape, colour and words. */
const Rule = ({ isKept, isStarted, children }: { isKept: boolean; isStarted: boolean; children: ReactNode }) => (
  <li data-kept={isStarted ? isKept : undefined}>
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {isStarted && isKept ? <path d="m3.5 8.5 3 3 6-7" /> : <circle cx="8" cy="8" r="2.2" />}
    </svg>
    {children}
    {isStarted ? <span className="unseen">{isKept ? ': yes' : ': not yet'}</span> : null}
  </li>
)

interface NewPasswordProps {
  readonly form: Form
  readonly minLength: number
  /** The account's own names: no passwords. */
  readonly names: readonly string[]
  readonly label?: string
  readonly autoFocus?: boolean
}

/** A new password with its rules while it is typed, and its repetition. */
export function NewPassword({ form, minLength, names, label = 'Password', autoFocus = false }: NewPasswordProps) {
  const [password, setPassword] = useState('')
  const isStarted = password !== ''
  const rules = (
    <ul className="rules" aria-label="What a password needs">
      <Rule isStarted={isStarted} isKept={lengthOf(password) >= minLength}>
        At least {minLength} characters
      </Rule>
      <Rule isStarted={isStarted} isKept={!isAccountName(password, names)}>
        Not your email or username
      </Rule>
      <Rule isStarted={false} isKept={false}>
        Hard to guess: checked when you send it
      </Rule>
    </ul>
  )
  return (
    <>
      <PasswordField
        form={form}
        label={label}
        name="password"
        autoComplete="new-password"
        below={rules}
        autoFocus={autoFocus}
        onInput={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordField form={form} label="Repeat the password" name="password_confirmation" autoComplete="new-password" />
    </>
  )
}
