import { LoadError } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Section } from '../components/Section.tsx'

interface Props {
  readonly title: string
  /** Where all of them are. */
  readonly to?: string
  readonly isPending: boolean
  readonly error: Error | null
  /** Shown when there are none. */
  readonly none: string
  readonly children: readonly ReactNode[]
}

const edge = { borderTop: '1px solid', borderColor: 'divider', px: 2.5, py: 1.1 } as const

/** A short list of the newest, with the way to all. */
export function Rows({ title, to, isPending, error, none, children }: Props) {
  const action =
    to === undefined ? undefined : (
      <Button component={Link} to={to} size="small" aria-label={`${title}: view all`} sx={{ my: -0.5 }}>
        View all
      </Button>
    )
  return (
    <Section title={title} flush action={action}>
      {isPending ? (
        <Box sx={edge}>
          <Skeleton />
          <Skeleton width="70%" />
        </Box>
      ) : error !== null && children.length === 0 ? (
        <LoadError error={error} />
      ) : children.length === 0 ? (
        <Typography sx={{ ...edge, color: 'text.secondary' }}>{none}</Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {children}
        </Box>
      )}
    </Section>
  )
}

/** One of them: what it is about, and at the right when it was. */
export const Row = ({ start, end, children }: { start?: ReactNode; end: ReactNode; children: ReactNode }) => (
  <Box component="li" sx={{ ...edge, display: 'flex', alignItems: 'center', gap: 1.5 }}>
    {start}
    <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
    <Typography variant="caption" sx={{ flexShrink: 0 }}>
      {end}
    </Typography>
  </Box>
)
