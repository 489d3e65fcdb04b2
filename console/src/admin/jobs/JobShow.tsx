import Icon from '@mui/icons-material/PendingActionsOutlined'
import Box from '@mui/material/Box'
import { Title } from 'react-admin'
import { useParams } from 'react-router'
import { UserName } from '../activity/names.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { RecordPage } from '../components/RecordPage.tsx'
import { RelativeTime, toDate } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { JobActions } from './JobActions.tsx'
import { JobErrors } from './JobErrors.tsx'
import { JobProgress } from './JobProgress.tsx'
import { JobStatus } from './JobStatus.tsx'
import { isOver, type Job, titleOf, useJob } from './job.ts'

/** “12 seconds”, “3 min 5 s”. */
function lengthOf(from: string, to: string): string {
  const seconds = Math.round((toDate(to).getTime() - toDate(from).getTime()) / 1000)
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Who started it and when, and how long it took. */
const Origin = ({ job: { created_by, created_at, started_at, finished_at } }: { job: Job }) => (
  <>
    Started by {created_by === null ? 'the command line' : <UserName id={created_by} />},{' '}
    <RelativeTime value={created_at} />
    {started_at === null || finished_at === null ? null : ` · took ${lengthOf(started_at, finished_at)}`}
  </>
)

/** One job: its progress, errors and actions. */
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
        <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Title title={titleOf(job)} />
          <PageHead title={titleOf(job)} tag={<JobStatus status={job.status} />} action={<JobActions job={job} />}>
            <Origin job={job} />
          </PageHead>
          <Section title={isOver(job) ? 'Result' : 'Progress'}>
            <JobProgress job={job} label={titleOf(job)} error={error} />
            <JobErrors job={job} />
          </Section>
        </Box>
      )}
    </RecordPage>
  )
}
