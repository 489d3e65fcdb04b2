import { useOnce } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import SnackbarContent from '@mui/material/SnackbarContent'
import { useEffect, useState } from 'react'
import {
  type NotificationPayload,
  type NotificationType,
  useNotificationContext,
  useNotify,
  useTranslate,
} from 'react-admin'

/** What takes a change back. */
export interface Undo {
  /** What the button says; “Undo” unless given. */
  readonly label?: string
  /** The job that it takes back. */
  readonly job?: number
  /** Resolves with what to say when it is done; rejects with why it could not be done. */
  readonly run: () => Promise<string>
}

/** For `notify`: `notify('Ada was banned.', undoable({ run }))`. */
export const undoable = (undo: Undo): { type: 'success'; undo: Undo } => ({ type: 'success', undo })

/** Puts away the offer to undo a job, for where that is done otherwise. */
export function useWithdrawUndo(): (job: number) => void {
  const { setNotifications } = useNotificationContext()
  return (job) =>
    setNotifications((all) => all.filter(({ notificationOptions }) => notificationOptions?.undo?.job !== job))
}

const shownMs = 4_000
const undoableMs = 10_000

const colours: Readonly<Record<NotificationType, object>> = {
  success: { bgcolor: 'success.main', color: 'success.contrastText' },
  error: { bgcolor: 'error.main', color: 'error.contrastText' },
  warning: { bgcolor: 'warning.main', color: 'warning.contrastText' },
  info: {},
}

function UndoButton({ undo, onDone }: { undo: Undo; onDone: () => void }) {
  const notify = useNotify()
  const [run, isBusy] = useOnce(async () => {
    try {
      notify(await undo.run(), { type: 'success' })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
    onDone()
  })
  return (
    <Button
      color="inherit"
      onClick={run}
      disabled={isBusy}
      aria-keyshortcuts="z"
      sx={{ textDecoration: 'underline', '&.Mui-disabled': { color: 'inherit', textDecoration: 'none' } }}
    >
      {isBusy ? 'One moment…' : (undo.label ?? 'Undo')}
    </Button>
  )
}

interface Props {
  readonly payload: NotificationPayload
  readonly onClose: (payload: NotificationPayload) => void
}

/** One notification. Its timer stops while it has the focus or the pointer. A pointer counts once it moves: the notification may appear under it. */
export function Toast({ payload, onClose }: Props) {
  const { message, type, notificationOptions = {} } = payload
  const undo = notificationOptions.undo as Undo | undefined
  const ms = notificationOptions.autoHideDuration ?? (undo === undefined ? shownMs : undoableMs)
  const translate = useTranslate()
  const [isHeld, setHeld] = useState(false)
  const close = () => onClose(payload)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onClose(payload), ms)
    return () => clearTimeout(timer)
  }, [isHeld, ms, payload, onClose])
  return (
    <SnackbarContent
      message={typeof message === 'string' ? translate(message, notificationOptions.messageArgs) : message}
      action={undo === undefined ? undefined : <UndoButton undo={undo} onDone={close} />}
      onMouseMove={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      sx={{ ...colours[type], overflowWrap: 'anywhere', maxWidth: { sm: 420 } }}
    />
  )
}
