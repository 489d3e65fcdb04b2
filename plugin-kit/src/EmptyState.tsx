import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ComponentType, ReactNode } from 'react'

interface Props {
  readonly icon?: ComponentType<{ fontSize?: 'large' }>
  readonly title: string
  readonly children?: ReactNode
  /** What to do next: a button. */
  readonly action?: ReactNode
}

/** What stands where there is nothing yet: what would be here, and how it comes here. */
export const EmptyState = ({ icon: Icon, title, children, action }: Props) => (
  <Box
    sx={{
      textAlign: 'center',
      textWrap: 'balance',
      overflowWrap: 'anywhere',
      maxWidth: 420,
      mx: 'auto',
      px: 2,
      py: { xs: 6, sm: 9 },
    }}
  >
    {Icon === undefined ? null : (
      <Box
        sx={{
          display: 'inline-flex',
          p: 1.5,
          mb: 2,
          borderRadius: 3,
          color: 'text.secondary',
          border: '1px solid',
          borderColor: 'divider',
          bgcolor: 'background.paper',
        }}
      >
        <Icon fontSize="large" />
      </Box>
    )}
    <Typography variant="h5" component="p" sx={{ mb: 0.5 }}>
      {title}
    </Typography>
    <Typography component="div" sx={{ color: 'text.secondary' }}>
      {children}
    </Typography>
    {action === undefined ? null : <Box sx={{ mt: 2.5 }}>{action}</Box>}
  </Box>
)
