import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { toDate, wholeTime } from '../components/RelativeTime.tsx'
import { formatNumber } from '../numbers.ts'
import { type Attempt, isTaken, resultOf } from './webhook.ts'

const heightPx = 36
/** A bar of full height. */
const slowMs = 15_000

/** Short and long times in one picture: 10 ms is a fifth of the height, a second two thirds. */
const shareOf = (durationMs: number): number =>
  Math.min(1, Math.max(0.08, Math.log10(Math.max(durationMs, 1)) / Math.log10(slowMs)))

const describe = (attempt: Attempt): string =>
  `${resultOf(attempt)} after ${formatNumber(attempt.duration_ms)} ms, ${wholeTime(toDate(attempt.created_at))}`

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The latest attempts as bars, the oldest at the left: how long each took, and whether it was taken. */
export function Health({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null
  const taken = attempts.filter(isTaken).length
  const usualMs = median(attempts.map(({ duration_ms }) => duration_ms))
  return (
    <Box sx={{ px: 2.5, pb: 2 }}>
      <Box aria-hidden sx={{ display: 'flex', alignItems: 'end', gap: '2px', height: heightPx }}>
        {attempts.toReversed().map((attempt) => (
          <Tooltip key={attempt.id} title={describe(attempt)}>
            <Box sx={{ flex: '1 1 0', maxWidth: 12, height: '100%', display: 'flex', alignItems: 'end' }}>
              <Box
                sx={{
                  width: '100%',
                  borderRadius: '2px 2px 0 0',
                  forcedColorAdjust: 'none',
                  bgcolor: isTaken(attempt) ? 'success.main' : 'error.main',
                }}
                style={{ height: `${shareOf(attempt.duration_ms) * 100}%` }}
              />
            </Box>
          </Tooltip>
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary" sx={{ mt: 0.75 }}>
        {`${taken} of the last ${attempts.length} succeeded. The usual time was ${formatNumber(usualMs)} ms.`}
      </Typography>
    </Box>
  )
}
