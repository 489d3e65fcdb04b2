import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  type ReactNode,
  useId,
  useState,
} from '@gatehouse/plugin-kit/console'

interface Props {
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** The deed, as the button says it. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done; what goes wrong stands in the dialog. */
export function Ask({ title, children, action, isDangerous = false, isReady = true, onConfirm, onClose }: Props) {
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog open onClose={isBusy ? () => {} : onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {children}
        {problem === undefined ? null : (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="outlined" onClick={onClose} disabled={isBusy} autoFocus>
          Cancel
        </Button>
        <Button
          variant="contained"
          color={isDangerous ? 'error' : 'primary'}
          disabled={isBusy || !isReady}
          onClick={confirm}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
