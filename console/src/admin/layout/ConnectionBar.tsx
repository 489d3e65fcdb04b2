import Box from '@mui/material/Box'
import { useIsLost } from '../connection.ts'

/** Says above every page that the server is away. It goes by itself, and what is shown is loaded again. */
export function ConnectionBar() {
  const isLost = useIsLost()
  return (
    <Box role="status" aria-label="Connection">
      {isLost ? (
        <Box
          sx={{
            px: { xs: 1.5, sm: 3 },
            py: 0.75,
            color: 'warning.main',
            borderBottom: '1px solid',
            borderColor: 'divider',
            bgcolor: 'background.paper',
            fontWeight: 550,
          }}
        >
          The server cannot be reached. What you see may be out of date; it is loaded again as soon as the server is
          back.
        </Box>
      ) : null}
    </Box>
  )
}
