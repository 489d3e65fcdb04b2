import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TextField from '@mui/material/TextField'
import { ignored, importColumns } from './columns.ts'
import type { FileHead } from './csv.ts'

const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const
const leftOut = { color: 'text.secondary', textDecoration: 'line-through' }

interface Props {
  readonly head: FileHead
  readonly mapped: readonly string[]
  readonly onChange: (mapped: string[]) => void
}

/** What each column of the file is, above its first rows. */
export function MapColumns({ head, mapped, onChange }: Props) {
  const set = (at: number, name: string) => onChange(mapped.map((one, index) => (index === at ? name : one)))
  return (
    <Box sx={{ overflow: 'auto', maxHeight: 420, border: '1px solid', borderColor: 'divider', borderRadius: 1 }}>
      <Table size="small" stickyHeader aria-label="The first rows of the file">
        <TableHead>
          <TableRow>
            {head.columns.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and never move
              <TableCell key={at} sx={{ minWidth: 170, maxWidth: 240 }}>
                <Box title={name} sx={{ fontWeight: 600, mb: 0.5, ...cut }}>
                  {name}
                </Box>
                {head.format === 'ndjson' ? null : (
                  <TextField
                    select
                    size="small"
                    fullWidth
                    margin="none"
                    value={mapped[at] ?? ignored}
                    onChange={({ target }) => set(at, target.value)}
                    slotProps={{
                      select: { displayEmpty: true },
                      htmlInput: { 'aria-label': `What “${name}” is` },
                    }}
                  >
                    <MenuItem value={ignored}>Leave out</MenuItem>
                    {importColumns.map(([column, label]) => (
                      <MenuItem key={column} value={column} disabled={mapped.includes(column) && mapped[at] !== column}>
                        {label}
                      </MenuItem>
                    ))}
                  </TextField>
                )}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {head.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file, which never move
            <TableRow key={line}>
              {head.columns.map((_, at) => (
                <TableCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same
                  key={at}
                  sx={{
                    maxWidth: 240,
                    ...cut,
                    ...(head.format === 'csv' && mapped[at] === ignored ? leftOut : {}),
                  }}
                >
                  {row[at]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}
