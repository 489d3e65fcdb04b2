import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router'
import { Section } from '../../components/Section.tsx'
import { NewUsersLink, StopButton } from '../../jobs/JobActions.tsx'
import { JobErrors } from '../../jobs/JobErrors.tsx'
import { JobProgress } from '../../jobs/JobProgress.tsx'
import { isOver, type Job } from '../../jobs/job.ts'
import { people } from '../../numbers.ts'

const ends = {
  done: ['What would happen', 'The import is done'],
  failed: ['The dry run failed', 'The import failed'],
  cancelled: ['The dry run was stopped', 'The import was stopped'],
} as const

function titleOf({ status, dry_run }: Job): string {
  if (status === 'queued' || status === 'running') return dry_run ? 'Checking the file' : 'Importing'
  return ends[status][dry_run ? 0 : 1]
}

function Explanation({ job }: { job: Job }) {
  if (job.dry_run)
    return <>Nothing has been changed.{job.failed > 0 ? ' Rows with errors will not be imported.' : ''}</>
  if (isOver(job)) return job.failed > 0 ? <>Rows with errors were not imported.</> : null
  return (
    <>
      It goes on when you leave this page, and is listed under{' '}
      <Link component={RouterLink} to="/jobs">
        Jobs
      </Link>
      .
    </>
  )
}

interface Props {
  readonly job: Job
  /** Why its latest state could not be loaded. */
  readonly error: Error | null
  readonly columnOf: (field: string) => string | undefined
  readonly onImport: () => void
  readonly onBack: () => void
  readonly onAnother: () => void
}

/** A dry run or the import itself: how far it is, what it does, and what can be done next. */
export function JobStep({ job, error, columnOf, onImport, onBack, onAnother }: Props) {
  const changed = job.created + job.updated
  const title = titleOf(job)
  return (
    <Section title={title} description={<Explanation job={job} />} action={<StopButton job={job} />}>
      <JobProgress job={job} label={title} error={error} />
      {isOver(job) ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2.5 }}>
          {job.dry_run && job.status === 'done' && changed > 0 ? (
            <Button variant="contained" onClick={onImport}>
              Import {people(changed)}
            </Button>
          ) : null}
          <NewUsersLink job={job} isMain />
          {job.dry_run ? (
            <Button variant="outlined" onClick={onBack}>
              Back to the columns
            </Button>
          ) : null}
          <Button variant="outlined" onClick={onAnother}>
            {job.dry_run ? 'Choose another file' : 'Import another file'}
          </Button>
        </Box>
      ) : null}
      <JobErrors job={job} columnOf={columnOf} />
    </Section>
  )
}
