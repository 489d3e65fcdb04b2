import { useEffect, useRef } from 'react'

let isLeaving = false

/** Whether somebody has agreed to leave this page. The router takes a moment to do it, and an answer may come meanwhile. */
export const setLeaving = (now: boolean): void => {
  isLeaving = now
}

/**
 * Tells, once an answer comes, whether it can be shown here: nobody has closed the component, left its page, or agreed to
 * leave it.
 */
export function useIsHere(): () => boolean {
  const isDrawn = useRef(false)
  useEffect(() => {
    isDrawn.current = true
    return () => {
      isDrawn.current = false
    }
  }, [])
  return () => isDrawn.current && !isLeaving
}
