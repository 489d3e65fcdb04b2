import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Its state, in a word. */
  readonly tag: ReactNode
  /** What can be done with it. */
  readonly action?: ReactNode
  /** A line about it. */
  readonly children: ReactNode
}

/** The head of the page of one record. */
export const PageHead = ({ title, tag, action, children }: Props) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
    <Box sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
        <Typography variant="h2">{title}</Typography>
        {tag}
      </Box>
      <Typography component="div" color="text.secondary" sx={{ mt: 0.25 }}>
        {children}
      </Typography>
    </Box>
    {action}
  </Box>
)
