import Chip from '@mui/material/Chip'
import { alpha, type Theme } from '@mui/material/styles'
import type { User } from '../session.ts'

const colors = { Active: 'success', Unconfirmed: 'warning', Banned: 'error' } as const

/** The status of an account: a word with a dot, not a colour alone. */
export function StatusChip({ status }: { status: User['status'] }) {
  const color = colors[status]
  return (
    <Chip
      size="small"
      label={status}
      sx={{
        ...{ color: `${color}.main`, height: 22, fontWeight: 550, fontSize: '0.75rem' },
        bgcolor: ({ palette }: Theme) => alpha(palette[color].main, 0.1),
        '&::before': { content: '""', width: 6, height: 6, borderRadius: '50%', bgcolor: 'currentColor', ml: 1 },
        '& .MuiChip-label': { px: 0.75 },
      }}
    />
  )
}
