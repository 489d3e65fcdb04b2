import Chip from '@mui/material/Chip'
import type { Theme } from '@mui/material/styles'
import { palettes } from '../../design/tokens.ts'

const tones = {
  plain: { color: 'text.secondary', soft: 'hover' },
  accent: { color: 'primary.main', soft: 'accentSoft' },
  good: { color: 'success.main', soft: 'successSoft' },
  warning: { color: 'warning.main', soft: 'warningSoft' },
  bad: { color: 'error.main', soft: 'dangerSoft' },
} as const

export type Tone = keyof typeof tones

/** A word on a quiet ground: the kind or state of something. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: string }) {
  const { color, soft } = tones[tone]
  return (
    <Chip
      size="small"
      label={children}
      sx={{
        color,
        minHeight: 22,
        fontWeight: 550,
        fontSize: '0.75rem',
        '& .MuiChip-label': { px: 1 },
        bgcolor: ({ palette }: Theme) => palettes[palette.mode][soft],
      }}
    />
  )
}
