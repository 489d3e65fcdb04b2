import { useOnce, useProblem } from '@gatehouse/plugin-kit/console'
import Delete from '@mui/icons-material/DeleteOutlined'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { type FormEvent, useId, useState } from 'react'
import { maxNameLength, type View, type Views } from './views.ts'

/** One view: its name can be changed, and it can be deleted. */
function Row({ view, views, say }: { view: View; views: Views; say: (problem: string | undefined) => void }) {
  const [text, setText] = useState(view.name)
  const name = text.trim()
  const isTaken = name !== view.name && views.views.some((other) => other.name === name)
  const [run, isBusy] = useOnce((work: () => Promise<void>) => {
    say(undefined)
    return work().catch((error: Error) => say(error.message))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (name !== '' && name !== view.name && !isTaken) run(() => views.rename(view.name, name))
  }
  return (
    <Box component="li">
      <Box component="form" onSubmit={submit} sx={{ display: 'flex', gap: 1, alignItems: 'start' }}>
        <TextField
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={isTaken}
          helperText={isTaken ? 'Another view has this name.' : undefined}
          fullWidth
          autoComplete="off"
          slotProps={{ htmlInput: { maxLength: maxNameLength, 'aria-label': `Name of ${view.name}` } }}
        />
        <Button
          type="submit"
          variant="outlined"
          disabled={isBusy || name === '' || name === view.name || isTaken}
          aria-label={`Rename ${view.name}`}
          sx={{ mt: '9px' }}
        >
          Rename
        </Button>
        <IconButton
          onClick={() => run(() => views.remove(view.name))}
          disabled={isBusy}
          aria-label={`Delete ${view.name}`}
          sx={{ mt: '6px' }}
        >
          <Delete fontSize="small" />
        </IconButton>
      </Box>
    </Box>
  )
}

/** Renames and deletes saved views. */
export function ManageViews({ views, onClose }: { views: Views; onClose: () => void }) {
  const id = useId()
  const [problem, setProblem] = useProblem()
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>Your views</DialogTitle>
      <DialogContent sx={{ overflowWrap: 'anywhere' }}>
        {problem === undefined ? null : <Alert severity="error">{problem}</Alert>}
        {views.views.length === 0 ? 'There are no views any more.' : null}
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
          {views.views.map((view) => (
            <Row key={view.name} view={view} views={views} say={setProblem} />
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
