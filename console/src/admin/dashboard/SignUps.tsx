import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'
import { visuallyHidden } from '@mui/utils'
import { Section } from '../components/Section.tsx'
import type { Stats } from './use-stats.ts'

type Month = Stats['sign_ups'][number]

const heightPx = 150
const asDate = (month: string) => new Date(`${month}-01T00:00:00Z`)
const short = (month: string) => asDate(month).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
const long = (month: string) => asDate(month).toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Bar({ month, count, most }: Month & { most: number }) {
  return (
    <Box sx={{ flex: 1, minWidth: 0, textAlign: 'center' }}>
      <Tooltip title={`${long(month)}: ${count.toLocaleString('en')}`}>
        <Box sx={{ height: heightPx, display: 'flex', alignItems: 'end' }}>
          <Box
            sx={{
              width: '100%',
              maxWidth: 44,
              mx: 'auto',
              borderRadius: '4px 4px 0 0',
              minHeight: 2,
              bgcolor: count === 0 ? 'divider' : 'primary.main',
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
  const most = Math.max(0, ...months.map(({ count }) => count))
  return (
    <Section
      title="Sign-ups"
      description={stats === undefined ? ' ' : `${total.toLocaleString('en')} in the last twelve months`}
    >
      {stats === undefined ? (
        <Skeleton variant="rounded" height={heightPx + 24} />
      ) : (
        <>
          <Box aria-hidden sx={{ display: 'flex', gap: { xs: 0.5, sm: 1.5 } }}>
            {months.map((each) => (
              <Bar key={each.month} {...each} most={most} />
            ))}
          </Box>
          <AsTable months={months} />
        </>
      )}
    </Section>
  )
}
