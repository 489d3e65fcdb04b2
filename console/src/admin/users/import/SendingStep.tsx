import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { Section } from '../../components/Section.tsx'

const size = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** 34567890 → “34.6 MB”. */
const inMegabytes = (bytes: number): string => `${size.format(bytes / 1e6)} MB`

interface Props {
  readonly name: string
  readonly sent: number
  readonly total: number
  readonly onCancel: () => void
}

/** While the file is on its way. The job begins once all of it has arrived. */
export function SendingStep({ name, sent, total, onCancel }: Props) {
  return (
    <Section
      title="Sending the file"
      description={name}
      action={
        <Button variant="outlined" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <LinearProgress
          variant="determinate"
          value={Math.min(100, (sent / Math.max(1, total)) * 100)}
          aria-label="Sending the file"
          sx={{ borderRadius: 1 }}
        />
        <Typography color="text.secondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {inMegabytes(sent)} of {inMegabytes(total)}. Leave this page open until the file has been sent.
        </Typography>
      </Box>
    </Section>
  )
}
