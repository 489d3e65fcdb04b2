import { LeaveQuestion } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId, useState } from 'react'
import { Navigate } from 'react-router'
import { CopyField } from './CopyField.tsx'
import { Section } from './Section.tsx'

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
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <LeaveQuestion text="The secret is shown only now. Leave without it?" />
      <Alert severity="warning">{warning}</Alert>
      <CopyField value={value} label={label} autoFocus />
      <Box sx={{ color: 'text.secondary' }}>{children}</Box>
    </Box>
  )
}

interface SectionProps {
  readonly title: string
  /** The page that comes next. */
  readonly to: string
  readonly children: ReactNode
}

/** The secret of something new, in the place of the form that made it. */
export function SecretSection({ title, to, children }: SectionProps) {
  const [isCopied, setCopied] = useState(false)
  if (isCopied) return <Navigate to={to} />
  return (
    <Section title={title}>
      {children}
      <Button variant="contained" onClick={() => setCopied(true)} sx={{ mt: 2 }}>
        I have copied it
      </Button>
    </Section>
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
