import { ConfirmDialog, useGoOn, useOnce } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { Link } from 'react-router'
import { call } from '../data-provider.ts'
import { useWithdrawUndo } from '../layout/Toast.tsx'
import { listAddress } from '../list-address.ts'
import { isOver, type Job } from './job.ts'

function UndoButton({ job, goOn }: { job: Job; goOn: (path: string) => void }) {
  const notify = useNotify()
  const client = useQueryClient()
  const withdraw = useWithdrawUndo()
  const [run, isBusy] = useOnce(async () => {
    try {
      const { data } = await call<{ data: Job }>('POST', `/jobs/${job.id}/undo`)
      withdraw(job.id)
      await client.invalidateQueries({ queryKey: ['jobs'] })
      goOn(`/jobs/${data.id}/show`)
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
  })
  return (
    <Button variant="outlined" onClick={run} disabled={isBusy}>
      Undo
    </Button>
  )
}

/** Cancels a running job, after a question. */
export function StopButton({ job }: { job: Job }) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const confirm = async () => {
    await call('DELETE', `/jobs/${job.id}`)
    await client.invalidateQueries({ queryKey: ['jobs'] })
  }
  if (isOver(job) && !isAsking) return null
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
        Stop
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={job.dry_run ? 'Stop the dry run?' : 'Stop this job?'}
          action="Stop"
          isDangerous
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {job.dry_run ? 'It changes nothing in any case.' : 'What it has done so far stays.'}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** A link to the users that an import created. */
export const NewUsersLink = ({ job, isMain = false }: { job: Job; isMain?: boolean }) =>
  job.type === 'users.import' && !job.dry_run && job.created > 0 ? (
    <Button
      variant={isMain ? 'contained' : 'outlined'}
      component={Link}
      to={listAddress('users', { import_id: job.id })}
    >
      Show the new users
    </Button>
  ) : null

/** Links a job to its undo, and the undo to the job. */
const JobLink = ({ id, children }: { id: number | null; children: string }) =>
  id === null ? null : (
    <Button variant="outlined" component={Link} to={`/jobs/${id}/show`}>
      {children}
    </Button>
  )

/** What can be done with a job. */
export function JobActions({ job }: { job: Job }) {
  const goOn = useGoOn() // the button goes before
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <StopButton job={job} />
      {job.can_undo ? <UndoButton job={job} goOn={goOn} /> : null}
      <JobLink id={job.undone_by}>Show the undo</JobLink>
      <JobLink id={job.undoes}>Show what was undone</JobLink>
      <NewUsersLink job={job} />
    </Box>
  )
}
