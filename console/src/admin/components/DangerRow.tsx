import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'

interface Props {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** An action with what it does: the button asks before it does anything. */
export const DangerRow = ({ title, text, action, isDangerous = false, disabled = false, onClick }: Props) => (
  <Box
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 1.5,
      py: 1.25,
      '& + &': { borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
      <Typography variant="caption" component="p">
        {text}
      </Typography>
    </Box>
    <Button variant="outlined" color={isDangerous ? 'error' : 'primary'} disabled={disabled} onClick={onClick}>
      {action}
    </Button>
  </Box>
)
