import TextField from '@mui/material/TextField'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Why an account is banned: kept in the activity. */
export const ReasonField = ({ value, onChange }: Props) => (
  <TextField
    label="Reason (optional)"
    helperText="Kept in the activity. The user does not see it."
    value={value}
    onChange={({ target }) => onChange(target.value)}
    fullWidth
    autoFocus
    autoComplete="off"
    slotProps={{ htmlInput: { maxLength: 255 } }}
    sx={{ mt: 2 }}
  />
)
