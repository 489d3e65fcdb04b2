import { useProblem } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import LinearProgress from '@mui/material/LinearProgress'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useId, useRef, useState } from 'react'
import { useListContext, useNotify } from 'react-admin'
import { isCalledOff } from '../../called-off.ts'
import { filterQuery } from '../../data-provider.ts'
import { formatNumber, people } from '../../numbers.ts'
import { saveFile } from '../../save-file.ts'
import { today } from '../../today.ts'
import { fileColumns } from '../fields.tsx'
import { exportUsers, type Progress } from './export-users.ts'

/** What the server can write, in its order. */
const columns = fileColumns([
  ['id', 'ID'],
  ['email', 'Email'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['username', 'Username'],
  ['phone', 'Phone'],
  ['address', 'Address'],
  ['country_id', 'Country (number)'],
  ['birthday', 'Birthday'],
  ['role_id', 'Role (id)'],
  ['status', 'Status'],
  ['avatar', 'Picture'],
  ['last_login', 'Last sign-in'],
  ['two_factor_country_code', 'Second factor: country code'],
  ['two_factor_phone', 'Second factor: phone'],
  ['two_factor_options', 'Second factor: state'],
  ['created_at', 'Created'],
  ['updated_at', 'Updated'],
])

const fileName = (format: string): string => `users-${today()}.${format}`

/** Asks for columns and format, then shows the progress. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const title = useId()
  const list = useListContext()
  const [asked, setAsked] = useState(list) // whatever the browser's Back shows meanwhile
  const { filterValues, sort } = asked
  // While the answer to another filter is awaited, the total is that of the previous one.
  if (asked.isPlaceholderData && !list.isPlaceholderData && list.filterValues === filterValues) setAsked(list)
  const total = asked.isPlaceholderData ? undefined : (asked.total ?? 0)
  const counted = total === undefined ? 'users' : people(total)
  const notify = useNotify()
  const controller = useRef<AbortController>(undefined)
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [progress, setProgress] = useState<Progress>()
  const [problem, setProblem] = useProblem()
  const fields = columns.map(([name]) => name).filter((name) => !left.has(name))

  const toggle = (name: string) => {
    const next = new Set(left)
    if (!next.delete(name)) next.add(name)
    setLeft(next)
  }
  const start = async () => {
    controller.current = new AbortController()
    const { signal } = controller.current
    setProblem(undefined)
    setProgress({ bytes: 0, rows: 0 })
    try {
      const query = { sort: (sort.order === 'DESC' ? '-' : '') + sort.field, ...filterQuery(filterValues) }
      const file = await exportUsers({ query, format, fields, signal, onProgress: setProgress })
      saveFile(file, fileName(format))
      notify(`${total === undefined ? 'The users' : counted} ${total === 1 ? 'was' : 'were'} exported.`, {
        type: 'success',
      })
      onClose()
    } catch (error) {
      if (signal.aborted) return
      setProgress(undefined)
      if (!isCalledOff(error)) setProblem((error as Error).message)
    }
  }
  const cancel = () => {
    controller.current?.abort()
    onClose()
  }

  return (
    <Dialog open aria-labelledby={title} fullWidth maxWidth="sm" onClose={cancel}>
      <DialogTitle id={title}>{progress === undefined ? `Export ${counted}` : 'Exporting users'}</DialogTitle>
      <DialogContent>
        {problem === undefined ? null : <Alert severity="error">{problem} Nothing was saved.</Alert>}
        {progress === undefined ? (
          <>
            <TextField
              select
              label="Format"
              value={format}
              onChange={({ target }) => setFormat(target.value === 'csv' ? 'csv' : 'ndjson')}
              sx={{ minWidth: 220 }}
            >
              <MenuItem value="csv">CSV, for spreadsheets</MenuItem>
              <MenuItem value="ndjson">NDJSON, for programs</MenuItem>
            </TextField>
            <Box
              role="group"
              aria-label="Columns"
              sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, mt: 1 }}
            >
              {columns.map(([name, label]) => (
                <FormControlLabel
                  key={name}
                  control={<Checkbox size="small" checked={!left.has(name)} onChange={() => toggle(name)} />}
                  label={label}
                />
              ))}
            </Box>
          </>
        ) : (
          <>
            <LinearProgress
              variant={progress.rows === 0 || total === undefined ? 'indeterminate' : 'determinate'}
              value={Math.min(100, (progress.rows / Math.max(1, total ?? 0)) * 100)}
              aria-labelledby={title}
              sx={{ borderRadius: 1, my: 1 }}
            />
            <Typography color="text.secondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {total === undefined ? '' : `${formatNumber(Math.min(progress.rows, total))} of ${counted}`}
            </Typography>
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="outlined" onClick={cancel}>
          Cancel
        </Button>
        <Button
          variant="contained"
          onClick={start}
          disabled={fields.length === 0 || progress !== undefined}
          loading={progress !== undefined}
        >
          Export
        </Button>
      </DialogActions>
    </Dialog>
  )
}
