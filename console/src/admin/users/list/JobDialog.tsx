import {
  LeaveQuestion,
  SlowNotice,
  TypeToConfirm,
  useIsHere,
  useIsSlow,
  useOnce,
  useProblem,
} from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useListContext, useNotify } from 'react-admin'
import { Link } from 'react-router'
import { isCalledOff } from '../../called-off.ts'
import { call, isGiven } from '../../data-provider.ts'
import { JobProgress } from '../../jobs/JobProgress.tsx'
import { isOver, type Job, statuses, untilOver, useJob } from '../../jobs/job.ts'
import { undoable } from '../../layout/Toast.tsx'
import { formatNumber, people } from '../../numbers.ts'
import { Elsewhere } from './Elsewhere.tsx'

interface Props {
  /** “Ban 3 users” */
  readonly title: (count: number) => string
  readonly children: ReactNode
  /** “banned”, after “3 users were”. */
  readonly done: string
  readonly action: string
  readonly role?: number | undefined
  /** All users who match the filter of the list; else the selected ones. */
  readonly isAll?: boolean
  readonly isDangerous?: boolean
  /** It cannot be taken back: for all who match, their number has to be typed. */
  readonly isFinal?: boolean
  readonly isReady?: boolean
  readonly onClose: () => void
}

/** Asks, and has the server do it to many users, as one job. */
export function JobDialog({
  title,
  children,
  done,
  action,
  role,
  isAll = true,
  isDangerous = false,
  isFinal = false,
  isReady = true,
  onClose,
}: Props) {
  const id = useId()
  const { filterValues, total, selectedIds, onUnselectItems, refetch } = useListContext()
  const [{ ids, filter }] = useState({ ids: selectedIds, filter: filterValues })
  const [expected, setExpected] = useState(isAll ? (total ?? 0) : ids.length)
  const client = useQueryClient()
  const notify = useNotify()
  const [sent, setSent] = useState<Job>()
  const [problem, setProblem] = useProblem()
  const [typed, setTyped] = useState('')
  const { data: job, error } = useJob(sent?.id, sent)
  const isTold = useRef(false)
  const isHere = useIsHere()

  const tellDone = (job: Job) => {
    const back = async () => {
      const { data } = await call<{ data: Job }>('POST', `/jobs/${job.id}/undo`)
      const { updated } = await untilOver(data.id)
      await client.invalidateQueries({ queryKey: ['jobs'] })
      await client.invalidateQueries({ queryKey: ['users'] })
      return `${people(updated)} ${updated === 1 ? 'is' : 'are'} as before.`
    }
    const left = job.skipped > 0 ? ` ${people(job.skipped)} stayed as they are.` : ''
    const said = `${people(job.updated)} ${job.updated === 1 ? 'was' : 'were'} ${done}.${left}`
    notify(said, job.can_undo && job.updated > 0 ? undoable({ run: back, job: job.id }) : { type: 'success' })
  }
  const reload = () => {
    client.invalidateQueries({ queryKey: ['users'] })
    client.invalidateQueries({ queryKey: ['jobs'] })
  }
  /** Says what became of a job whose dialog was closed before the server had accepted it. */
  const follow = async (id: number) => {
    const job = await untilOver(id)
    reload()
    if (job.status === 'done') tellDone(job)
    else notify(`${title(expected)}: ${job.message ?? statuses[job.status].name}`, { type: 'error' })
  }

  const [run, isBusy] = useOnce(async () => {
    setProblem(undefined)
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => isGiven(value)))
    try {
      const body = {
        action,
        expected,
        ...(isAll ? { filter: given } : { ids }),
        ...(role === undefined ? {} : { role_id: role }),
      }
      const { data } = await call<{ data: Job }>('POST', '/users/bulk', { body })
      if (isHere()) setSent(data)
      else await follow(data.id)
    } catch (error) {
      if (isCalledOff(error)) return
      setProblem((error as Error).message)
      if (!isHere()) return
      // If another number matches now, the dialog asks again with that one.
      const { data } = (await refetch()) as { data?: { total?: number } }
      if (isAll && data?.total !== undefined) setExpected(data.total)
    }
  })
  const isSlow = useIsSlow(isBusy)
  const mayClose = !isBusy || isSlow

  const mustType = isFinal && isAll
  const mayRun =
    isReady && !isBusy && expected > 0 && (!mustType || typed.replaceAll(/[\s.,’']/g, '') === String(expected))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mayRun) run()
  }

  useEffect(() => {
    if (job === undefined || !isOver(job) || isTold.current) return
    isTold.current = true
    reload()
    if (job.status !== 'done') return // the dialog says what went wrong
    onUnselectItems()
    tellDone(job)
    onClose()
  })

  return (
    <Dialog open onClose={mayClose ? onClose : undefined} aria-labelledby={id} fullWidth maxWidth="xs">
      {isBusy ? <LeaveQuestion isBusy /> : null}
      <form onSubmit={submit} noValidate>
        <DialogTitle id={id}>{job === undefined ? `${title(expected)}?` : title(expected)}</DialogTitle>
        <DialogContent sx={{ color: 'text.secondary' }}>
          {problem === undefined ? null : (
            <Alert severity="error" sx={{ mb: 2 }}>
              {problem}
            </Alert>
          )}
          {job === undefined ? children : <JobProgress job={job} label={title(expected)} error={error} />}
          {job === undefined && !isAll ? <Elsewhere /> : null}
          {mustType && job === undefined ? (
            <TypeToConfirm word={formatNumber(expected)} value={typed} onChange={setTyped} />
          ) : null}
          {isSlow ? <SlowNotice /> : null}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          {job === undefined ? (
            <>
              <Button variant="outlined" onClick={onClose} disabled={!mayClose} autoFocus={!mustType}>
                {isSlow ? 'Close' : 'Cancel'}
              </Button>
              <Button
                type="submit"
                variant="contained"
                color={isDangerous ? 'error' : 'primary'}
                disabled={!mayRun}
                loading={isBusy}
              >
                {title(expected)}
              </Button>
            </>
          ) : (
            <>
              <Button component={Link} to={`/jobs/${job.id}/show`}>
                Show the job
              </Button>
              <Button variant="outlined" onClick={onClose} autoFocus>
                {isOver(job) ? 'Close' : 'Go on in the background'}
              </Button>
            </>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
