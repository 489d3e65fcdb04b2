import Alert from '@mui/material/Alert'
import type { ReactNode } from 'react'

const closable = 'You can close this dialog; it goes on in the background.'

/** Shown in a dialog whose work takes longer than usual; see `useIsSlow`. */
export const SlowNotice = ({ children = closable }: { children?: ReactNode }) => (
  <Alert severity="info" sx={{ mt: 2 }}>
    This takes longer than usual. {children}
  </Alert>
)
