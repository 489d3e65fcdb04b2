import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { Section } from '../../components/Section.tsx'
import type { FileHead } from './csv.ts'
import { MapColumns } from './MapColumns.tsx'

/** What a file is imported with. */
export interface Choices {
  /** What each column of the file is, in its order. */
  readonly mapped: readonly string[]
  readonly onConflict: string
  readonly invite: boolean
}

const conflicts = [
  ['fail', 'Report it as an error'],
  ['skip', 'Leave the user as they are'],
  ['update', 'Update the user'],
] as const

const texts = {
  csv: 'Say what each column is. Below are the first rows of the file.',
  ndjson: 'Each key is the name of a field; unknown ones are left out. Below are the first lines of the file.',
}

interface Props {
  readonly name: string
  readonly head: FileHead
  readonly choices: Choices
  readonly onChange: (choices: Choices) => void
  readonly onLeave: () => void
  readonly onNext: () => void
}

/** The meaning of the columns, and what to do with users who exist already. */
export function ColumnsStep({ name, head, choices, onChange, onLeave, onNext }: Props) {
  const { mapped, onConflict, invite } = choices
  const hasEmail = head.format === 'ndjson' || mapped.includes('email')
  return (
    <Section
      title={name}
      description={texts[head.format]}
      action={
        <Button variant="outlined" onClick={onLeave}>
          Choose another file
        </Button>
      }
    >
      <MapColumns head={head} mapped={mapped} onChange={(next) => onChange({ ...choices, mapped: next })} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, alignItems: 'center', mt: 2 }}>
        <TextField
          select
          label="If an address already has an account"
          value={onConflict}
          onChange={({ target }) => onChange({ ...choices, onConflict: target.value })}
          sx={{ minWidth: 280 }}
        >
          {conflicts.map(([value, label]) => (
            <MenuItem key={value} value={value}>
              {label}
            </MenuItem>
          ))}
        </TextField>
        <FormControlLabel
          control={<Switch checked={invite} onChange={(_, isOn) => onChange({ ...choices, invite: isOn })} />}
          label="Invite those without a password by mail"
        />
      </Box>
      {hasEmail ? null : (
        <Alert severity="warning" sx={{ mt: 2 }}>
          One of the columns has to be the email address.
        </Alert>
      )}
      <Button variant="contained" disabled={!hasEmail} onClick={onNext} sx={{ mt: 2 }}>
        Try it without changing anything
      </Button>
    </Section>
  )
}
