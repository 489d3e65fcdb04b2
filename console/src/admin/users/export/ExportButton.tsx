import Icon from '@mui/icons-material/FileDownloadOutlined'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useId, useRef, useState } from 'react'
import { useListContext, useNotify } from 'react-admin'
import { filterQuery } from '../../data-provider.ts'
import { ToolButton } from '../list/ToolButton.tsx'
import { useLookup } from '../lookup.ts'
import { exportUsers, type Progress } from './export-users.ts'

const count = new Intl.NumberFormat('en')

function save(blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `users-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

interface DialogProps {
  readonly progress: Progress
  readonly problem: string | undefined
  readonly onCancel: () => void
}

function ExportDialog({ progress: { done, total, waitSeconds }, problem, onCancel }: DialogProps) {
  const title = useId()
  const text =
    waitSeconds === undefined
      ? `${count.format(done)} of ${count.format(total)} users`
      : `${count.format(done)} of ${count.format(total)} users. The server asks to wait for ${waitSeconds} seconds.`
  return (
    <Dialog open aria-labelledby={title} fullWidth maxWidth="xs" onClose={onCancel}>
      <DialogTitle id={title}>Exporting users</DialogTitle>
      <DialogContent>
        {problem === undefined ? (
          <>
            <LinearProgress
              variant={total === 0 ? 'indeterminate' : 'determinate'}
              value={total === 0 ? undefined : (done / total) * 100}
              aria-labelledby={title}
              sx={{ borderRadius: 1, my: 1 }}
            />
            <Typography color="text.secondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {total === 0 ? 'Asking the server' : text}
            </Typography>
          </>
        ) : (
          <Alert severity="error">{problem} Nothing was saved.</Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="outlined" onClick={onCancel}>
          {problem === undefined ? 'Cancel' : 'Close'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The whole filtered list as a CSV file. */
export function ExportButton() {
  const { filterValues, sort, total } = useListContext()
  const lookup = useLookup()
  const notify = useNotify()
  const controller = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<Progress>()
  const [problem, setProblem] = useState<string>()

  const start = async () => {
    controller.current = new AbortController()
    const { signal } = controller.current
    setProblem(undefined)
    setProgress({ done: 0, total: 0 })
    try {
      let last = { done: 0, total: 0 }
      const blob = await exportUsers({
        query: { sort: (sort.order === 'DESC' ? '-' : '') + sort.field, ...filterQuery(filterValues) },
        lookup,
        signal,
        onProgress: (reached) => {
          last = reached
          setProgress(reached)
        },
      })
      save(blob)
      setProgress(undefined)
      notify(last.done === 1 ? 'One user was exported.' : `${count.format(last.done)} users were exported.`, {
        type: 'success',
      })
    } catch (error) {
      if (!signal.aborted) setProblem((error as Error).message)
    }
  }
  const cancel = () => {
    controller.current?.abort()
    setProgress(undefined)
  }
  return (
    <>
      <ToolButton label="Export as CSV" icon={<Icon />} onClick={start} disabled={total === undefined || total === 0} />
      {progress === undefined ? null : <ExportDialog progress={progress} problem={problem} onCancel={cancel} />}
    </>
  )
}
