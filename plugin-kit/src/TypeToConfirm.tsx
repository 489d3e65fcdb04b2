import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

interface Props {
  /** What has to be typed. */
  readonly word: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Asks for a word to be typed before something that cannot be taken back. */
export function TypeToConfirm({ word, value, onChange }: Props) {
  const id = useId()
  return (
    <>
      <Typography id={id} sx={{ mt: 2, mb: 0.5 }} color="text.primary">
        Type <strong>{word}</strong> to confirm.
      </Typography>
      <TextField
        fullWidth
        autoFocus
        value={value}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="off"
        slotProps={{ htmlInput: { spellCheck: false, 'aria-labelledby': id } }}
      />
    </>
  )
}
