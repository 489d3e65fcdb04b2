import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useEffect } from 'react'
import { CopyField } from '../components/CopyField.tsx'

/** The key itself, the one time that it is shown. It is kept nowhere. */
export function Secret({ value }: { value: string }) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Alert severity="warning">
        Copy the key now: it is shown this once and cannot be brought back. Whoever has it acts as you, so keep it out
        of mails, chats and source code.
      </Alert>
      <CopyField value={value} label="API key" />
      <Box sx={{ color: 'text.secondary' }}>
        A program sends it with every request as <code>Authorization: Bearer</code> and the key.
      </Box>
    </Box>
  )
}
