import { useEffect, useRef } from 'react'
import { useRedirect } from 'react-admin'

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
    if (isHere.current) redirect(path)
  }
}
