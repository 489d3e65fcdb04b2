import { useEffect, useRef } from 'react'

let leaving = false

/** Whether somebody has agreed to leave this page. It takes a moment to be gone, and an answer or another click may come meanwhile. */
export const isLeaving = (): boolean => leaving

export const setLeaving = (now: boolean): void => {
  leaving = now
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
  return () => isDrawn.current && !leaving
}
