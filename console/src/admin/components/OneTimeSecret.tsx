import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { useLeaveWarning } from '../../api/use-leave-warning.ts'
import { CopyField } from './CopyField.tsx'

interface Props {
  readonly value: string
  readonly label: string
  /** The consequences of losing it or giving it away. */
  readonly warning: string
  /** What it is for. */
  readonly children?: ReactNode
}

/** A secret that is shown only once and stored nowhere. */
export function OneTimeSecret({ value, label, warning, children }: Props) {
  useLeaveWarning()
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Alert severity="warning">{warning}</Alert>
      <CopyField value={value} label={label} autoFocus />
      <Box sx={{ color: 'text.secondary' }}>{children}</Box>
    </Box>
  )
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A new secret over the page. A click beside it does not close it: the secret would be gone. */
export function SecretDialog({ title, onClose, children }: DialogProps) {
  const id = useId()
  return (
    <Dialog open aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>{children}</DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
