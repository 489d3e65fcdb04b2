import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'

interface Props {
  readonly to?: string | undefined
  readonly title: ReactNode
  readonly end?: ReactNode
  readonly children?: ReactNode
}

/** The first cell of a row: what it is, the way to it, and a line about it. */
export const Cell = ({ to, title, end, children }: Props) => (
  <Box sx={{ minWidth: 0 }}>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.25 }}>
      {to === undefined ? (
        <Box component="span" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {title}
        </Box>
      ) : (
        <Link
          component={RouterLink}
          to={to}
          onClick={(event) => event.stopPropagation()}
          color="text.primary"
          underline="hover"
          sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}
        >
          {title}
        </Link>
      )}
      {end}
    </Box>
    {children === undefined || children === null || children === '' ? null : (
      <Typography variant="caption" component="div" sx={{ overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    )}
  </Box>
)
