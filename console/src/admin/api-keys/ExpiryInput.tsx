import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useInput, ValidationError } from 'react-admin'
import { lastDay, today } from '../today.ts'
import { inDays } from './keys.ts'

const spans = [
  { id: '7', name: 'In 7 days' },
  { id: '30', name: 'In 30 days' },
  { id: '90', name: 'In 90 days' },
  { id: '365', name: 'In one year' },
]

/** `null` is never, so a day that is missing or half typed stays an empty text, and is refused. */
const asTyped = (value: unknown): unknown => value
const needsDay = (value: unknown) => (value === '' ? 'Choose the last day.' : undefined)

/** When the key stops working: after a while, at the end of a day, or never. */
export function ExpiryInput({ source, kept }: { source: string; kept?: string | null }) {
  const { field, fieldState } = useInput({ source, parse: asTyped, validate: needsDay })
  const [chosen, setChosen] = useState({ choice: kept === undefined ? '90' : 'kept', kept })
  // What was chosen has been saved: it is “as now”.
  const isSaved = kept !== chosen.kept && (field.value || null) === kept
  const choice = isSaved ? 'kept' : chosen.choice
  const message = fieldState.error?.message
  const problem = message === undefined ? undefined : <ValidationError error={message} />
  const help = problem ?? (choice === 'day' ? 'It works until the end of that day (UTC).' : undefined)

  const choose = (next: string) => {
    setChosen({ choice: next, kept })
    if (next === 'kept') field.onChange(kept ?? null)
    else if (next === 'never') field.onChange(null)
    else field.onChange(next === 'day' ? `${inDays(30).slice(0, 10)} 23:59:59` : inDays(Number(next)))
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      <TextField
        select
        label="Expires"
        value={choice}
        onChange={({ target }) => choose(target.value)}
        error={problem !== undefined && choice !== 'day'}
        helperText={choice === 'day' ? undefined : help}
        sx={{ flex: '1 1 200px' }}
      >
        {kept === undefined ? null : (
          <MenuItem value="kept">{kept === null ? 'Never, as now' : `As now: ${kept} UTC`}</MenuItem>
        )}
        {spans.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
        <MenuItem value="day">On a day…</MenuItem>
        {kept === null ? null : <MenuItem value="never">Never</MenuItem>}
      </TextField>
      {choice === 'day' ? (
        <TextField
          type="date"
          label="Last day"
          value={String(field.value ?? '').slice(0, 10)}
          onChange={({ target }) => field.onChange(target.value === '' ? '' : `${target.value} 23:59:59`)}
          onBlur={field.onBlur}
          error={problem !== undefined}
          helperText={help}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: today(), max: lastDay } }}
          sx={{ flex: '1 1 200px' }}
        />
      ) : null}
    </Box>
  )
}
