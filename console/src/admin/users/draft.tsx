import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useEffect, useMemo, useState } from 'react'
import { useFormContext, useFormState } from 'react-hook-form'
import type { User } from '../session.ts'

type Values = Partial<User>

export interface Draft {
  /** What the form began with. It stays while somebody types, even if the user is changed elsewhere. */
  readonly record: Values
  /** Somebody else changed one of the fields since. */
  readonly isOutdated: boolean
  /** Takes what is stored now: after saving. */
  readonly accept: () => void
  readonly setDirty: (isDirty: boolean) => void
}

/** The fields of a user that a form shows, so that no change elsewhere takes away what is being typed. */
export function useDraft(user: User, sources: readonly (keyof User)[]): Draft {
  const stored = JSON.stringify(Object.fromEntries(sources.map((source) => [source, user[source]])))
  const [base, setBase] = useState(stored)
  const [isDirty, setDirty] = useState(false)
  const [isAccepted, setAccepted] = useState(false)
  if (base !== stored && (!isDirty || isAccepted)) {
    setBase(stored)
    setAccepted(false)
  }
  const record = useMemo(() => JSON.parse(base) as Values, [base])
  return { record, isOutdated: base !== stored, accept: () => setAccepted(true), setDirty }
}

/** The fields that differ from what the form began with: only those are sent, so that changes elsewhere stay. */
export function changesIn(values: Record<string, unknown>, record: Values): Record<string, unknown> {
  const sources = Object.keys(record) as (keyof User)[]
  const changed = sources.filter((source) => (values[source] ?? null) !== (record[source] ?? null))
  return Object.fromEntries(changed.map((source) => [source, values[source] ?? null]))
}

/** In the form: tells the draft whether something was typed, and the reader that somebody else changed the same user. */
export function DraftState({ draft: { setDirty, isOutdated } }: { draft: Draft }) {
  const { reset } = useFormContext()
  const { isDirty } = useFormState()
  useEffect(() => setDirty(isDirty), [isDirty, setDirty])
  if (!isOutdated || !isDirty) return null
  return (
    <Alert
      severity="info"
      sx={{ mb: 2 }}
      action={
        <Button color="inherit" onClick={() => reset()}>
          Discard mine and load
        </Button>
      }
    >
      This user was changed elsewhere. Your unsaved changes are kept; saving sends only the fields that you changed.
    </Alert>
  )
}
