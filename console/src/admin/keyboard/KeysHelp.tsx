import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { monoFamily } from '../../design/tokens.ts'
import { keyList } from './keys.ts'

const Key = ({ children }: { children: string }) => (
  <Box
    component="kbd"
    sx={{
      fontFamily: monoFamily,
      fontSize: '0.8125rem',
      px: 0.75,
      py: 0.25,
      mr: 0.5,
      borderRadius: '4px',
      border: '1px solid',
      borderColor: 'divider',
      bgcolor: 'background.default',
      whiteSpace: 'nowrap',
    }}
  >
    {children}
  </Box>
)

/** Which keys there are. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const id = useId()
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>Keys</DialogTitle>
      <DialogContent>
        <Box
          component="dl"
          sx={{ m: 0, display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 3, rowGap: 1.25 }}
        >
          {keyList.map(({ keys, does }) => (
            <Box key={does} sx={{ display: 'contents' }}>
              <Box component="dt">
                {keys.map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </Box>
              <Box component="dd" sx={{ m: 0 }}>
                {does}
              </Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="outlined" onClick={onClose} autoFocus>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
