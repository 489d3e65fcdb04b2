import Chip from '@mui/material/Chip'
import type { Theme } from '@mui/material/styles'
import { palettes } from '../../design/tokens.ts'
import type { User } from '../session.ts'

const looks = {
  Active: { color: 'success.main', soft: 'successSoft' },
  Unconfirmed: { color: 'warning.main', soft: 'warningSoft' },
  Banned: { color: 'error.main', soft: 'dangerSoft' },
} as const

/** The status of an account: a word with a dot, not a colour alone. */
export function StatusChip({ status }: { status: User['status'] }) {
  const { color, soft } = looks[status]
  return (
    <Chip
      size="small"
      label={status}
      sx={{
        ...{ color, height: 22, fontWeight: 550, fontSize: '0.75rem' },
        bgcolor: ({ palette }: Theme) => palettes[palette.mode][soft],
        '&::before': { content: '""', width: 6, height: 6, borderRadius: '50%', bgcolor: 'currentColor', ml: 1 },
        '& .MuiChip-label': { px: 0.75 },
      }}
    />
  )
}
