import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ComponentType, ReactNode } from 'react'

interface Props {
  readonly icon?: ComponentType<{ 'aria-hidden': true; sx: object }>
  readonly iconColor?: string
  readonly title: ReactNode
  /** Shown when the pointer is on the title. */
  readonly hint?: string | undefined
  /** Lines about it. */
  readonly lines: readonly ReactNode[]
  /** What can be done with it. */
  readonly action?: ReactNode
  /** Below the row: details that are shown on demand. */
  readonly children?: ReactNode
}

/** A row of a flush section: what it is, lines about it, and what can be done with it. */
export const Row = ({
  icon: Icon,
  iconColor = 'text.secondary',
  title,
  hint,
  lines,
  action = null,
  children,
}: Props) => (
  <Box component="li" sx={{ px: 2.5, py: 1.5, borderTop: '1px solid', borderColor: 'divider' }}>
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      {Icon === undefined ? null : <Icon aria-hidden sx={{ color: iconColor }} />}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }} title={hint}>
          {title}
        </Typography>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and never move
          <Typography key={at} variant="caption" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {line}
          </Typography>
        ))}
      </Box>
      {action}
    </Box>
    {children}
  </Box>
)
