import Box from '@mui/material/Box'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { type NotificationPayload, useNotificationContext } from 'react-admin'
import { createPortal } from 'react-dom'
import { calledOffText } from '../called-off.ts'
import { Toast } from './Toast.tsx'

const maxUndoable = 2

let last = 0
const keys = new WeakMap<NotificationPayload, number>()
function keyOf(payload: NotificationPayload): number {
  const key = keys.get(payload) ?? ++last
  keys.set(payload, key)
  return key
}

/** A click anywhere else puts away what only informs; what can be undone stays for its time. */
const isTransient = ({ notificationOptions }: NotificationPayload): boolean => notificationOptions?.undo === undefined

/** The newest one that informs takes the place of the one before, so that they cover little; of those to undo there are a few. */
function shownOf(all: readonly NotificationPayload[]): NotificationPayload[] {
  const news = all.filter(({ message }) => message !== calledOffText)
  const newest = news.findLast(isTransient)
  const kept = new Set(news.filter((one) => !isTransient(one)).slice(-maxUndoable))
  return news.filter((one) => one === newest || kept.has(one))
}

/** MUI hides everything beside an open dialog from screen readers. This keeps the element audible. */
function useNeverHidden(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const show = () => current.removeAttribute('aria-hidden')
    const observer = new MutationObserver(show)
    observer.observe(current, { attributeFilter: ['aria-hidden'] })
    show()
    return () => observer.disconnect()
  }, [place])
}

/**
 * The latest notifications, above each other: in the bar, or below a narrow one. Buttons that send a form are never there. They
 * are rendered outside the page, because an open dialog hides the page and all that is in it.
 */
export function Toasts() {
  const { notifications, setNotifications } = useNotificationContext()
  const place = useRef<HTMLDivElement>(null)
  const close = useCallback(
    (closed: NotificationPayload) => setNotifications((all) => all.filter((one) => one !== closed)),
    [setNotifications],
  )
  useNeverHidden(place)
  const shown = shownOf(notifications)
  const isFull = shown.length < notifications.length
  useEffect(() => {
    if (isFull) setNotifications(shownOf)
  }, [isFull, setNotifications])
  const hasTransient = notifications.some(isTransient)
  useEffect(() => {
    if (!hasTransient) return
    const clickAway = ({ target }: MouseEvent) => {
      if (place.current?.contains(target as Node)) return
      setNotifications((all) => all.filter((one) => !isTransient(one)))
    }
    // After the click that caused the notification.
    const timer = setTimeout(() => document.addEventListener('click', clickAway, true))
    return () => {
      clearTimeout(timer)
      document.removeEventListener('click', clickAway, true)
    }
  }, [hasTransient, setNotifications])
  return createPortal(
    <Box
      ref={place}
      component="section"
      aria-label="Notifications"
      sx={{
        position: 'fixed',
        zIndex: 'snackbar',
        display: 'grid',
        gap: 1,
        top: { xs: 64, md: 4 },
        left: { xs: 8, sm: '50%', md: 'calc(232px + 50% - 116px)' },
        right: { xs: 8, sm: 'auto' },
        width: { sm: 'max-content' },
        transform: { sm: 'translateX(-50%)' },
        '&:empty': { display: 'none' },
      }}
    >
      {shown.map((payload) => (
        <Toast key={keyOf(payload)} payload={payload} onClose={close} />
      ))}
    </Box>,
    document.body,
  )
}
