import { useEffect, useRef } from 'react'
import { useRedirect } from 'react-admin'

let isLeaving = false

/** Whether somebody has agreed to leave this page. The router takes a moment to do it, and an answer may come meanwhile. */
export const setLeaving = (now: boolean): void => {
  isLeaving = now
}

/** Opens the page that comes next once something was sent: `goOn('/roles/3')`. Whoever has left this one meanwhile stays where they are. */
export function useGoOn(): (path: string) => void {
  const redirect = useRedirect()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return (path) => {
    if (isHere.current && !isLeaving) redirect(path)
  }
}
