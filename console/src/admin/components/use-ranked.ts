import { useCallback, useMemo, useState } from 'react'
import { ranked, rankOf } from '../users/rank.ts'

/**
 * The choices of a picker, the best answer to what is typed first: “ger” finds Germany before Algeria.
 * The result goes to react-admin's `AutocompleteInput`. `nameOf` is made once, outside of the component.
 */
export function useRanked<T>(choices: readonly T[], nameOf: (choice: T) => string) {
  const [typed, setTyped] = useState('')
  const sorted = useMemo(() => ranked(choices, typed, nameOf), [choices, typed, nameOf])
  const onInputChange = useCallback(
    (_event: unknown, text: string, reason: string) => setTyped(reason === 'input' ? text : ''),
    [],
  )
  const matchSuggestion = useCallback((text: string, choice: T) => rankOf(nameOf(choice), text) !== undefined, [nameOf])
  return { choices: sorted, onInputChange, matchSuggestion }
}
