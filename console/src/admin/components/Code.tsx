import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { monoFamily } from '../../design/tokens.ts'

/** JSON over several lines; anything else unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A request or answer between programs. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <Box>
    <Typography variant="caption" component="div" color="text.secondary">
      {label}
    </Typography>
    <Box
      component="pre"
      role="region"
      aria-label={label}
      tabIndex={0}
      sx={{
        m: 0,
        p: 1.25,
        maxHeight: 320,
        overflow: 'auto',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.default',
        fontFamily: monoFamily,
        fontSize: '0.75rem',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {readable(text)}
    </Box>
  </Box>
)
