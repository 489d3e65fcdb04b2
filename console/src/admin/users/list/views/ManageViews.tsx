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
import { type FormEvent, useId, useRef, useState } from 'react'
import { maxNameLength, type View, type Views } from './views.ts'

interface RowProps {
  readonly view: View
  readonly views: Views
  /** Under its new name it is another row: it takes the cursor over. */
  readonly isRenamed: boolean
  readonly onRename: (name: string) => void
  readonly say: (problem: string | undefined) => void
}

/** One view: its name can be changed, and it can be deleted. */
function Row({ view, views, isRenamed, onRename, say }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
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
    if (name === '' || name === view.name || isTaken) return
    onRename(name)
    run(() => views.rename(view.name, name))
  }
  /** The focus goes to the row beside it, or out of the list. */
  const remove = async () => {
    const { current } = row
    const beside = current?.nextElementSibling ?? current?.previousElementSibling
    const next = beside?.querySelector<HTMLElement>('[type=button]')
    const end = current?.closest('[role=dialog]')?.querySelector<HTMLElement>('.MuiDialogActions-root button')
    await views.remove(view.name)
    const place = next ?? end
    place?.focus()
  }
  return (
    <Box component="li" ref={row}>
      <Box component="form" onSubmit={submit} sx={{ display: 'flex', gap: 1, alignItems: 'start' }}>
        <TextField
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={isTaken}
          helperText={isTaken ? 'Another view has this name.' : undefined}
          fullWidth
          autoFocus={isRenamed}
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
        <IconButton onClick={() => run(remove)} disabled={isBusy} aria-label={`Delete ${view.name}`} sx={{ mt: '6px' }}>
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
  const [renamed, setRenamed] = useState<string>()
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>Your views</DialogTitle>
      <DialogContent sx={{ overflowWrap: 'anywhere' }}>
        {problem === undefined ? null : <Alert severity="error">{problem}</Alert>}
        {views.views.length === 0 ? 'There are no views any more.' : null}
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
          {views.views.map((view) => (
            <Row
              key={view.name}
              view={view}
              views={views}
              isRenamed={view.name === renamed}
              onRename={setRenamed}
              say={setProblem}
            />
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
