import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  readonly description?: ReactNode
  /** At the right of the title: a link or a button. */
  readonly action?: ReactNode
  readonly children?: ReactNode
  /** Children reach the edges: tables and lists. */
  readonly flush?: boolean
}

/** A titled box, for pages that are neither a list nor a form. */
export function Section({ title, description, action, children, flush = false }: Props) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} sx={{ minWidth: 0, overflow: 'clip' }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: { xs: 'wrap', sm: 'nowrap' },
          alignItems: 'start',
          columnGap: 2,
          rowGap: 0.5,
          px: 2.5,
          pt: 2,
          pb: flush ? 1.25 : 0,
        }}
      >
        {/* On a phone the description goes below title and action, over the whole width. */}
        <Box sx={{ display: { xs: 'contents', sm: 'block' }, flex: 1, minWidth: 0 }}>
          <Typography id={id} variant="h3" component="h2" sx={{ flex: '1 1 140px', overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {description === undefined ? null : (
            <Typography
              variant="body2"
              component="div"
              sx={{
                color: 'text.secondary',
                mt: { sm: 0.5 },
                order: { xs: 1, sm: 0 },
                flex: '1 0 100%',
                overflowWrap: 'anywhere',
              }}
            >
              {description}
            </Typography>
          )}
        </Box>
        {action}
      </Box>
      <Box sx={flush ? {} : { px: 2.5, pt: 1.5, pb: 2.5 }}>{children}</Box>
    </Paper>
  )
}
