import { useEffect } from 'react'

/** While on, the browser asks before the page is closed or loaded again. */
export function useLeaveWarning(isOn = true): void {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isOn])
}
