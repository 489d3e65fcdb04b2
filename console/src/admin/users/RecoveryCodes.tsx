import { LeaveQuestion } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { CopyField } from '../components/CopyField.tsx'

/** For whoever has left when the codes came. */
export const lostCodes =
  'New recovery codes were made after you had left: nobody has seen them. Make new ones under My account.'

/** Shown once, and closed only on purpose. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const id = useId()
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  return (
    <Dialog open aria-labelledby={id} fullWidth maxWidth="xs">
      <LeaveQuestion text="These codes are shown only now. Leave without them?" />
      <DialogTitle id={id}>Keep your recovery codes</DialogTitle>
      <DialogContent>
        <Typography color="text.secondary" sx={{ mb: 1.5 }}>
          If you lose your phone or your passkey, each of these signs you in once. They are shown only now.
        </Typography>
        <CopyField value={codes.join('\n')} label="Recovery codes" />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
        <Button component="a" href={file} download="gatehouse-recovery-codes.txt" sx={{ mr: 'auto' }}>
          Save as a file
        </Button>
        <Button variant="contained" onClick={onClose}>
          I have kept them
        </Button>
      </DialogActions>
    </Dialog>
  )
}
