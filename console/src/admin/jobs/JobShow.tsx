import { ConfirmDialog, useOnce } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/PendingActionsOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Title, useNotify, useRedirect } from 'react-admin'
import { Link, useParams } from 'react-router'
import { RecordPage } from '../components/RecordPage.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { JobErrors } from './JobErrors.tsx'
import { JobProgress } from './JobProgress.tsx'
import { isOver, type Job, statusNames, titleOf, useJob } from './job.ts'

function UndoButton({ job }: { job: Job }) {
  const notify = useNotify()
  const redirect = useRedirect()
  const client = useQueryClient()
  const [run, isBusy] = useOnce(async () => {
    try {
      const { data } = await call<{ data: Job }>('POST', `/jobs/${job.id}/undo`)
      await client.invalidateQueries({ queryKey: ['jobs'] })
      redirect(`/jobs/${data.id}/show`)
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

function CancelButton({ job }: { job: Job }) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const confirm = async () => {
    await call('DELETE', `/jobs/${job.id}`)
    await client.invalidateQueries({ queryKey: ['jobs'] })
  }
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
        Cancel the job
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title="Cancel this job?"
          action="Cancel the job"
          isDangerous
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          What it has done stays.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** What can be done with a job. */
export const JobActions = ({ job }: { job: Job }) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
    {isOver(job) ? null : <CancelButton job={job} />}
    {job.can_undo ? <UndoButton job={job} /> : null}
    {job.type === 'users.import' && !job.dry_run && job.created > 0 ? (
      <Button
        variant="outlined"
        component={Link}
        to={`/users?filter=${encodeURIComponent(JSON.stringify({ import_id: job.id }))}`}
      >
        Show the new users
      </Button>
    ) : null}
  </Box>
)

/** One job: how far it is, what went wrong, and what can be done about it. */
export function JobShow() {
  const { id } = useParams()
  const { data, isPending, error, refetch } = useJob(Number(id))
  return (
    <RecordPage
      state={{ record: data, isPending, error, refetch }}
      noun="job"
      icon={Icon}
      back={{ to: '/jobs', label: 'Jobs' }}
    >
      {(job) => (
        <Section title={titleOf(job)} description={statusNames[job.status]} action={<JobActions job={job} />}>
          <Title title={titleOf(job)} />
          <JobProgress job={job} label={titleOf(job)} />
          <JobErrors job={job} />
        </Section>
      )}
    </RecordPage>
  )
}
