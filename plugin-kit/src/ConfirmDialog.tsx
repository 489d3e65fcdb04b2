import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useIsHere } from './here.ts'
import { LeaveQuestion } from './LeaveQuestion.tsx'
import { useOnce } from './once.ts'
import { useProblem } from './problem.ts'
import { SlowNotice } from './SlowNotice.tsx'
import { useIsSlow } from './slow.ts'
import { TypeToConfirm } from './TypeToConfirm.tsx'

interface Props {
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** What the button says: the deed, not “OK”. */
  readonly action: string
  readonly isDangerous?: boolean
  /** False while what `children` ask for is not known yet. */
  readonly isReady?: boolean
  /** Has to be typed first. */
  readonly typed?: string
  /** `children` have a field, which is where one begins. */
  readonly hasField?: boolean
  /** The answer is shown only once: the dialog stays until it is there, however long that takes. */
  readonly endsInSecret?: boolean
  /** Rejects with what is shown in the dialog, which stays open then. Of an `AbortError`, nothing is shown. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

const field = ':is(input:not([hidden]), textarea:not([aria-hidden]))'

/** Asks before something is done, shows that it is being done, and why it could not be. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    children,
    action,
    isDangerous = false,
    isReady = true,
    typed,
    hasField = false,
    endsInSecret = false,
    onConfirm,
    onClose,
  } = props
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useProblem()
  const mayConfirm = isReady && (typed === undefined || text.trim() === typed)
  const isHere = useIsHere()
  const form = useRef<HTMLFormElement>(null)
  const [confirm, isBusy] = useOnce(async () => {
    setProblem(undefined)
    try {
      await onConfirm()
      if (isHere()) onClose() // else it would close what the page asks now
    } catch (error) {
      const { name, message, status } = error as Error & { status?: number }
      if (name === 'AbortError') return
      setProblem(message)
      const wrong = hasField && status === 422 ? form.current?.querySelector<HTMLInputElement>(field) : undefined
      wrong?.focus()
      wrong?.select()
    }
  })
  const isSlow = useIsSlow(isBusy)
  const mayClose = !isBusy || (isSlow && !endsInSecret)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation() // a form around the button that opened this must not be sent
    if (mayConfirm) confirm()
  }

  return (
    <Dialog
      open
      onClose={mayClose ? onClose : undefined}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      fullWidth
      maxWidth="xs"
    >
      {isBusy ? <LeaveQuestion isBusy /> : null}
      <form ref={form} onSubmit={submit} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          <div id={`${id}-text`}>{children}</div>
          {typed === undefined ? null : <TypeToConfirm word={typed} value={text} onChange={setText} />}
          {isSlow ? (
            <SlowNotice>{endsInSecret ? 'Please wait: the answer is shown only once.' : undefined}</SlowNotice>
          ) : null}
          {problem === undefined ? null : (
            <Alert severity="error" sx={{ mt: 2 }}>
              {problem}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button
            variant="outlined"
            onClick={onClose}
            disabled={!mayClose}
            autoFocus={typed === undefined && !hasField}
          >
            {isSlow && !endsInSecret ? 'Close' : 'Cancel'}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            disabled={!mayConfirm || isBusy}
            loading={isBusy}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
