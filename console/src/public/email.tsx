import type { ComponentProps } from 'react'
import { Field } from './parts.tsx'

/** Looks like an address; whether it is one shows when the mail arrives. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text.trim())

type Props = Omit<ComponentProps<typeof Field>, 'name' | 'label'>

/** The first field of a form: an email address. */
export const EmailField = (props: Props) => (
  <Field {...props} name="email" label="Email" type="email" autoComplete="email" autoFocus />
)
