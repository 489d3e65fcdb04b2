import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'
import { visuallyHidden } from '@mui/utils'
import { Section } from '../components/Section.tsx'
import { formatNumber } from '../numbers.ts'
import type { Stats } from './use-stats.ts'

type Month = Stats['sign_ups'][number]

const heightPx = 150
const axisPx = 34
const compact = new Intl.NumberFormat('en', { notation: 'compact' })
const asDate = (month: string) => new Date(`${month}-01T00:00:00Z`)
const short = (month: string) => asDate(month).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
const long = (month: string) => asDate(month).toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Bar({ month, count, most }: Month & { most: number }) {
  return (
    <Box sx={{ flex: 1, minWidth: 0, textAlign: 'center' }}>
      <Tooltip title={`${long(month)}: ${formatNumber(count)}`}>
        <Box sx={{ height: heightPx, display: 'flex', alignItems: 'end' }}>
          <Box
            sx={{
              width: '100%',
              maxWidth: 44,
              mx: 'auto',
              borderRadius: '4px 4px 0 0',
              minHeight: 2,
              bgcolor: count === 0 ? 'divider' : 'primary.main',
              forcedColorAdjust: 'none',
              opacity: 0.9,
              '&:hover': { opacity: 1 },
            }}
            style={{ height: `${(count / Math.max(most, 1)) * 100}%` }}
          />
        </Box>
      </Tooltip>
      <Box sx={{ pt: 0.75, fontSize: { xs: '0.625rem', sm: '0.75rem' }, color: 'text.secondary' }}>{short(month)}</Box>
    </Box>
  )
}

/** The end of the axis: the next round number, of which the half is round, too. */
function roundUp(most: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(most, 1))))
  const steps = [1, 2, 4, 5, 6, 8, 10].map((factor) => factor * step)
  return Math.max(2, steps.find((end) => end >= most) ?? step * 10)
}

/** The numbers beside the bars, and the lines that they stand for. */
const Axis = ({ end }: { end: number }) => (
  <Box sx={{ position: 'absolute', inset: 0, height: heightPx, pointerEvents: 'none' }}>
    {[end, end / 2, 0].map((value) => (
      <Box
        key={value}
        sx={{
          position: 'absolute',
          left: 0,
          right: 0,
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          transform: 'translateY(50%)',
          '&::after': { content: '""', flex: 1, borderTop: '1px solid', borderColor: 'divider' },
        }}
        style={{ bottom: `${(value / end) * 100}%` }}
      >
        <Box component="span" sx={{ width: axisPx, textAlign: 'right', fontSize: '0.75rem', color: 'text.secondary' }}>
          {compact.format(value)}
        </Box>
      </Box>
    ))}
  </Box>
)

/** The same as a table, for whoever does not see the bars. */
const AsTable = ({ months }: { months: readonly Month[] }) => (
  <Box component="table" sx={visuallyHidden}>
    <caption>Sign-ups by month</caption>
    <tbody>
      {months.map(({ month, count }) => (
        <tr key={month}>
          <th scope="row">{long(month)}</th>
          <td>{count}</td>
        </tr>
      ))}
    </tbody>
  </Box>
)

/** Sign-ups of the last twelve months. */
export function SignUps({ stats }: { stats: Stats | undefined }) {
  const months = stats?.sign_ups ?? []
  const total = months.reduce((sum, { count }) => sum + count, 0)
  const most = roundUp(Math.max(0, ...months.map(({ count }) => count)))
  return (
    <Section
      title="Sign-ups"
      description={stats === undefined ? '\u00a0' : `${formatNumber(total)} in the last twelve months`}
    >
      {stats === undefined ? (
        <Skeleton variant="rounded" height={heightPx + 24} sx={{ mt: 1 }} />
      ) : (
        <>
          <Box aria-hidden sx={{ position: 'relative', pt: 0, pl: `${axisPx + 8}px`, mt: 1 }}>
            <Axis end={most} />
            <Box sx={{ position: 'relative', display: 'flex', gap: { xs: 0.5, sm: 1.5 } }}>
              {months.map((each) => (
                <Bar key={each.month} {...each} most={most} />
              ))}
            </Box>
          </Box>
          <AsTable months={months} />
        </>
      )}
    </Section>
  )
}
