import { useEffect, useRef } from 'react'

const pageNow = (): string | undefined => location.hash.split('?', 1)[0]

/** Tells, once an answer comes, whether the component is still on the page. The address changes a moment before the page does. */
export function useIsHere(): () => boolean {
  const page = useRef<string>(undefined)
  useEffect(() => {
    page.current = pageNow()
    return () => {
      page.current = undefined
    }
  }, [])
  return () => page.current === pageNow()
}
