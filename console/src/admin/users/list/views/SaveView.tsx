import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { maxNameLength, type Views } from './views.ts'

/** Asks for the name of a new view. */
export function SaveView({ views, onClose }: { views: Views; onClose: () => void }) {
  const notify = useNotify()
  const [text, setText] = useState(views.current?.name ?? '')
  const name = text.trim()
  const isTaken = views.views.some((view) => view.name === name)
  return (
    <ConfirmDialog
      title="Save this view"
      action={isTaken ? 'Replace' : 'Save'}
      hasField
      isReady={name !== ''}
      onConfirm={async () => {
        await views.save(name)
        notify(`The view “${name}” was saved.`, { type: 'success' })
      }}
      onClose={onClose}
    >
      Filters, sorting and columns are kept for your account, on every browser that you sign in with.
      <TextField
        label="Name of the view"
        value={text}
        onChange={({ target }) => setText(target.value)}
        helperText={isTaken ? 'A view of this name exists. It is replaced.' : ' '}
        fullWidth
        autoFocus
        autoComplete="off"
        slotProps={{ htmlInput: { maxLength: maxNameLength } }}
        sx={{ mt: 2 }}
      />
    </ConfirmDialog>
  )
}
