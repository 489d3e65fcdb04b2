import { LoadError } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  readonly isPending: boolean
  readonly error: Error | null
  /** Shown when there are no rows. */
  readonly none: string
  readonly children: readonly ReactNode[]
}

/** The rows of a flush section: loading, failed, empty, or the rows. */
export function ListBody({ isPending, error, none, children }: Props) {
  if (error !== null && children.length === 0) return <LoadError error={error} />
  // As high while it loads as without rows: what stands below is not pushed away from under a finger.
  if (isPending || children.length === 0) {
    return (
      <Typography color="text.secondary" sx={{ px: 2.5, pb: 2.5, overflowWrap: 'anywhere' }}>
        {isPending ? <Skeleton width="60%" /> : none}
      </Typography>
    )
  }
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {children}
    </Box>
  )
}
