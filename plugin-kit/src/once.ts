import { useCallback, useRef, useState } from 'react'

/**
 * Allows only one run of `work` at a time: a call while it runs gets the promise of the current run. The check is
 * synchronous, so a double click is caught before React has drawn the button as busy.
 *
 * @returns the guarded function, and whether it is running (for the look of the button).
 */
export function useOnce<A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
): [run: (...args: A) => Promise<T>, isBusy: boolean] {
  const latest = useRef(work)
  latest.current = work
  const running = useRef<Promise<T>>(undefined)
  const [isBusy, setBusy] = useState(false)
  const run = useCallback((...args: A) => {
    if (running.current !== undefined) return running.current
    setBusy(true)
    const started = latest.current(...args).finally(() => {
      running.current = undefined
      setBusy(false)
    })
    running.current = started
    return started
  }, [])
  return [run, isBusy]
}
