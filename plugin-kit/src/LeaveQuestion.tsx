import { useEffect } from 'react'
import { useBlocker } from 'react-router'

interface Props {
  readonly text?: string
  /** What was typed is on its way: the page may go on by itself. */
  readonly isBusy?: boolean
}

/**
 * While it is there, another page opens only after a question; so does the browser before it closes this one. The router asks
 * only the last of several, so it is drawn where there is something to lose.
 */
export function LeaveQuestion({
  text = 'Some of your changes are not saved. Leave without them?',
  isBusy = false,
}: Props) {
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) => !isBusy && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (state !== 'blocked') return
    if (confirm(text)) proceed()
    else reset()
  }, [state, proceed, reset, text])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return null
}
