import { LoadError } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { formatNumber } from '../numbers.ts'
import { countsOf, isOver, type Job } from './job.ts'

const Count = ({ name, count }: { name: string; count: number }) => (
  <Box sx={{ flex: '0 1 104px', minWidth: 'min-content' }}>
    <Typography sx={{ fontSize: '1.25rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
      {formatNumber(count)}
    </Typography>
    <Typography variant="caption" color="text.secondary">
      {name}
    </Typography>
  </Box>
)

/** “12,000 of 30,000 rows”. */
function shareOf({ done, total, type }: Job): string {
  const noun = type === 'users.import' ? 'row' : 'user'
  const ending = (total ?? done) === 1 ? '' : 's'
  return `${formatNumber(done)}${total === null ? '' : ` of ${formatNumber(total)}`} ${noun}${ending}`
}

interface Props {
  readonly job: Job
  readonly label: string
  /** Why the latest state could not be loaded. */
  readonly error: Error | null
}

/** The progress of a job, and its counts. */
export function JobProgress({ job, label, error }: Props) {
  const { total, done, message } = job
  const share = total === null || total === 0 ? undefined : Math.min(100, (done / total) * 100)
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {isOver(job) ? null : (
        <LinearProgress
          variant={share === undefined || job.status === 'queued' ? 'indeterminate' : 'determinate'}
          value={share}
          aria-label={label}
          sx={{ borderRadius: 1 }}
        />
      )}
      <Typography color="text.secondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {job.status === 'queued' ? 'Waiting for its turn' : shareOf(job)}
      </Typography>
      <LoadError error={error} what="The progress" />
      {message === null ? null : <Alert severity="error">{message}</Alert>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        {countsOf(job).map(([name, count]) => (
          <Count key={name} name={name} count={count} />
        ))}
      </Box>
    </Box>
  )
}
