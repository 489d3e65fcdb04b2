import Box from '@mui/material/Box'
import type { Theme } from '@mui/material/styles'
import { palettes } from '../../design/tokens.ts'
import type { User } from '../session.ts'

const shape = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.75,
  minHeight: 22,
  px: 1,
  borderRadius: '6px',
  fontWeight: 550,
  fontSize: '0.75rem',
  whiteSpace: 'nowrap',
  '&::before': { content: '""', width: 6, height: 6, borderRadius: '50%', bgcolor: 'currentColor' },
} as const

const look = (color: string, soft: 'successSoft' | 'warningSoft' | 'dangerSoft') => ({
  ...shape,
  color,
  bgcolor: ({ palette }: Theme) => palettes[palette.mode][soft],
})

const looks = {
  Active: look('success.main', 'successSoft'),
  Unconfirmed: look('warning.main', 'warningSoft'),
  Banned: look('error.main', 'dangerSoft'),
} as const

/** The status of an account: a word with a dot, not a colour alone. */
export const StatusChip = ({ status }: { status: User['status'] }) => (
  <Box component="span" sx={looks[status]}>
    {status}
  </Box>
)
