import { useEffect, useRef } from 'react'

/** Tells, once an answer comes, whether the component is still drawn: nobody has closed it or left its page. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () => isMounted.current
}
