import type { components } from '@gatehouse/client'
import Download from '@mui/icons-material/FileDownloadOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { call } from '../data-provider.ts'
import { fetchFile, orCut } from '../fetch-file.ts'
import { formatNumber } from '../numbers.ts'
import { saveFile } from '../save-file.ts'
import { isOver, type Job } from './job.ts'

type JobError = components['schemas']['JobError']

/** Fetched, not linked: a refusal must not be saved as a file. */
async function saveErrors(id: number): Promise<void> {
  const response = await fetchFile(`/jobs/${id}/errors`, 'text/csv')
  saveFile(await orCut(response.blob()), `job-${id}-errors.csv`)
}

const shown = 25

interface Props {
  readonly job: Job
  /** What the file calls a field, where that is known. */
  readonly columnOf?: (field: string) => string | undefined
}

/** The first errors of a job, and all of them as a file. */
export function JobErrors({ job, columnOf = () => undefined }: Props) {
  const notify = useNotify()
  const { data } = useQuery({
    queryKey: ['jobs', 'errors', job.id, job.failed, job.status],
    queryFn: () =>
      call<{ data: JobError[]; meta: { total: number } }>('GET', `/jobs/${job.id}/errors`, {
        query: { per_page: shown },
      }),
    enabled: job.failed > 0 || isOver(job),
    placeholderData: keepPreviousData, // more errors come while it runs: the table must not go and come
  })
  if (data === undefined || data.meta.total === 0) return null
  const { total } = data.meta
  return (
    <Box sx={{ mt: 2.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
        <Typography variant="h3" component="h3" sx={{ flex: 1 }}>
          Errors
        </Typography>
        <Button
          startIcon={<Download />}
          onClick={() => saveErrors(job.id).catch((error: Error) => notify(error.message, { type: 'error' }))}
        >
          Download all {formatNumber(total)}
        </Button>
      </Box>
      <Box sx={{ overflowX: 'auto' }}>
        <Table size="small" aria-label="Errors">
          <TableHead>
            <TableRow>
              <TableCell>Line</TableCell>
              <TableCell>Column</TableCell>
              <TableCell>What is wrong</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {data.data.map(({ line, field, message }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same error twice, and rows never move
              <TableRow key={at}>
                <TableCell sx={{ fontVariantNumeric: 'tabular-nums' }}>{line}</TableCell>
                <TableCell sx={{ overflowWrap: 'break-word', maxWidth: 160 }}>
                  {columnOf(field ?? '') ?? field}
                </TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>{message}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {total > shown ? (
        <Typography variant="caption" component="p" sx={{ mt: 1 }}>
          These are the first {shown} of {formatNumber(total)}. The file has all of them.
        </Typography>
      ) : null}
    </Box>
  )
}
