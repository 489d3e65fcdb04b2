import { useEffect, useRef } from 'react'
import { useNotify } from 'react-admin'

/** Time to read it, for somebody who is busy elsewhere. */
const lostMs = 20_000

const pageNow = (): string | undefined => location.hash.split('?', 1)[0]

/** Shows a secret that the server gives only once. Whoever has left the page meanwhile is told what was lost. */
export function useReveal<T>(show: (secret: T) => void): (secret: T, lost: string) => void {
  const notify = useNotify()
  // The address as well: it changes a moment before the page does.
  const page = useRef<string>(undefined)
  useEffect(() => {
    page.current = pageNow()
    return () => {
      page.current = undefined
    }
  }, [])
  return (secret, lost) => {
    if (page.current === pageNow()) show(secret)
    else notify(lost, { type: 'warning', autoHideDuration: lostMs })
  }
}
