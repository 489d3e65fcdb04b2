import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { listAddress } from '../list-address.ts'
import { formatNumber } from '../numbers.ts'
import type { Stats } from './use-stats.ts'

type Status = keyof Stats['users']['by_status']

const cards: readonly { readonly label: string; readonly status?: Status; readonly color: string }[] = [
  { label: 'Users', color: 'primary.main' },
  { label: 'Active', status: 'Active', color: 'success.main' },
  { label: 'Unconfirmed', status: 'Unconfirmed', color: 'warning.main' },
  { label: 'Banned', status: 'Banned', color: 'error.main' },
]

const addressOf = (status: Status | undefined): string =>
  status === undefined ? '/users' : listAddress('users', { status })

/** Who has to add a second factor before they can do anything; nothing where nobody has to. */
function MissingFactors({ count }: { count: number }) {
  if (count === 0) return null
  const address = listAddress('users', { two_factor: 'missing' })
  return (
    <Alert
      severity="warning"
      sx={{ mt: 2 }}
      action={
        <Button color="inherit" component={Link} to={address}>
          Show them
        </Button>
      }
    >
      {count === 1 ? 'One user lacks' : `${formatNumber(count)} users lack`} the second factor that their role requires.
    </Alert>
  )
}

/** How many users there are, in all and by status; each number leads to them. */
export const Totals = ({ stats }: { stats: Stats | undefined }) => (
  <div>
    <Cards stats={stats} />
    <MissingFactors count={stats?.without_required_factor ?? 0} />
  </div>
)

const Cards = ({ stats }: { stats: Stats | undefined }) => (
  <Box
    sx={{
      display: 'grid',
      gap: 2,
      gridTemplateColumns: { xs: 'repeat(auto-fit, minmax(max(8rem, 40%), 1fr))', md: 'repeat(4, 1fr)' },
    }}
  >
    {cards.map(({ label, status, color }) => (
      <Paper
        key={label}
        component={Link}
        to={addressOf(status)}
        sx={{
          p: 2.5,
          textDecoration: 'none',
          color: 'text.primary',
          display: 'block',
          '&:hover': { borderColor: 'text.secondary' },
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <Box aria-hidden sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: color }} />
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
        </Box>
        <Typography variant="h4" component="p" sx={{ mt: 0.75, fontVariantNumeric: 'tabular-nums' }}>
          {stats === undefined ? (
            <Skeleton width={72} />
          ) : (
            formatNumber(status === undefined ? stats.users.total : stats.users.by_status[status])
          )}
        </Typography>
      </Paper>
    ))}
  </Box>
)
