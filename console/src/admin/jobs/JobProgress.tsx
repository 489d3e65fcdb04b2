import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { isOver, type Job } from './job.ts'

const number = new Intl.NumberFormat('en')

const Count = ({ name, count }: { name: string; count: number }) => (
  <Box sx={{ minWidth: 90 }}>
    <Typography sx={{ fontSize: '1.25rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
      {number.format(count)}
    </Typography>
    <Typography variant="caption" color="text.secondary">
      {name}
    </Typography>
  </Box>
)

/** How far a job is, and what it did. */
export function JobProgress({ job, label }: { job: Job; label: string }) {
  const { total, done, created, updated, skipped, failed, type, message } = job
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
        {job.status === 'queued'
          ? 'Waiting for its turn'
          : `${number.format(done)}${total === null ? '' : ` of ${number.format(total)}`} ${type === 'users.import' ? 'rows' : 'users'}`}
      </Typography>
      {message === null ? null : <Alert severity="error">{message}</Alert>}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {type === 'users.import' ? <Count name="created" count={created} /> : null}
        <Count name="changed" count={updated} />
        <Count name="skipped" count={skipped} />
        {type === 'users.import' ? <Count name="with errors" count={failed} /> : null}
      </Box>
    </Box>
  )
}
