import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { isLeaving, setLeaving } from './here.ts'

interface Props {
  readonly text?: string
  /** What was typed is on its way: the page may go on by itself. */
  readonly isBusy?: boolean
}

/** A link, a key or the browser's own buttons lead away. A page that goes on by itself does so while no event is handled. */
const isByUser = (historyAction: string): boolean => historyAction === 'POP' || globalThis.event instanceof UIEvent

/**
 * While it is there, another page opens only after a question; so does the browser before it closes this one. The router asks
 * only the last of several, so it is drawn where there is something to lose.
 */
export function LeaveQuestion({
  text = 'Some of your changes are not saved. Leave without them?',
  isBusy = false,
}: Props) {
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      !isLeaving() && (!isBusy || isByUser(historyAction)) && currentLocation.pathname !== nextLocation.pathname,
  )
  const question = isBusy ? 'The server has not answered yet. Leave without waiting?' : text
  useEffect(() => {
    if (state === 'unblocked') setLeaving(false)
    if (state !== 'blocked') return
    if (confirm(question)) {
      setLeaving(true)
      proceed()
    } else reset()
  }, [state, proceed, reset, question])
  useEffect(() => () => setLeaving(false), [])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return null
}
