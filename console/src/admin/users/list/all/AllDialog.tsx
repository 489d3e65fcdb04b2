import { useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useListContext, useNotify } from 'react-admin'
import { Link } from 'react-router'
import { call } from '../../../data-provider.ts'
import { JobProgress } from '../../../jobs/JobProgress.tsx'
import { isOver, type Job, untilOver, useJob } from '../../../jobs/job.ts'
import { undoable } from '../../../layout/Toast.tsx'
import { people } from '../BulkDialog.tsx'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** “banned”, after “3 users were”. */
  readonly done: string
  readonly action: string
  readonly role?: number | undefined
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  readonly onClose: () => void
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Asks, and has the server do it to everybody who matches the filter of the list, as one job. */
export function AllDialog({
  title,
  children,
  done,
  action,
  role,
  isDangerous = false,
  isReady = true,
  onClose,
}: Props) {
  const id = useId()
  const { filterValues, total, onUnselectItems } = useListContext()
  const [expected] = useState(total ?? 0)
  const client = useQueryClient()
  const notify = useNotify()
  const [sent, setSent] = useState<Job>()
  const [problem, setProblem] = useState<string>()
  const { data: job = sent } = useJob(sent?.id)
  const isTold = useRef(false)

  const [run, isBusy] = useOnce(async () => {
    setProblem(undefined)
    const filter = Object.fromEntries(Object.entries(filterValues).filter(([, value]) => isGiven(value)))
    try {
      const body = { action, filter, expected, ...(role === undefined ? {} : { role_id: role }) }
      const { data } = await call<{ data: Job }>('POST', '/users/bulk', { body })
      setSent(data)
    } catch (error) {
      setProblem((error as Error).message)
      await client.invalidateQueries({ queryKey: ['users'] })
    }
  })

  useEffect(() => {
    if (job === undefined || !isOver(job) || isTold.current) return
    isTold.current = true
    const back = async () => {
      const { data } = await call<{ data: Job }>('POST', `/jobs/${job.id}/undo`)
      const { updated } = await untilOver(data.id)
      await client.invalidateQueries({ queryKey: ['jobs'] })
      await client.invalidateQueries({ queryKey: ['users'] })
      return `${people(updated)} ${updated === 1 ? 'is' : 'are'} as before.`
    }
    onUnselectItems()
    client.invalidateQueries({ queryKey: ['users'] })
    client.invalidateQueries({ queryKey: ['jobs'] })
    const left = job.skipped > 0 ? ` ${people(job.skipped)} stayed as they are.` : ''
    const said = `${people(job.updated)} ${job.updated === 1 ? 'was' : 'were'} ${done}.${left}`
    notify(said, job.can_undo && job.updated > 0 ? undoable({ run: back }) : { type: 'success' })
    if (job.status === 'done') onClose()
  }, [job, client, notify, done, onClose, onUnselectItems])

  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>{`${title}?`}</DialogTitle>
      <DialogContent sx={{ color: 'text.secondary' }}>
        {problem === undefined ? null : (
          <Alert severity="error" sx={{ mb: 2 }}>
            {problem}
          </Alert>
        )}
        {job === undefined ? children : <JobProgress job={job} label={title} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {job === undefined ? (
          <>
            <Button variant="outlined" onClick={onClose} autoFocus>
              Cancel
            </Button>
            <Button
              variant="contained"
              color={isDangerous ? 'error' : 'primary'}
              onClick={run}
              disabled={!isReady || isBusy || problem !== undefined}
            >
              {title}
            </Button>
          </>
        ) : (
          <>
            <Button component={Link} to={`/jobs/${job.id}/show`}>
              Show the job
            </Button>
            <Button variant="outlined" onClick={onClose}>
              Go on in the background
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}
