import { type RefObject, useEffect, useRef } from 'react'

/** The form whose first wrong field gets the cursor when there is another `problem`. */
export function useCursorToWrong(problem: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is drawn as wrong by then
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  return form
}
