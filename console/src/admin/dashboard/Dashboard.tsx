import { LoadError, useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import { Title } from 'react-admin'
import { Navigate } from 'react-router'
import { FailedDeliveries } from './FailedDeliveries.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LatestUsers } from './LatestUsers.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { SignUps } from './SignUps.tsx'
import { Totals } from './Totals.tsx'
import { useStats } from './use-stats.ts'

const parts = { numbers: 'users.manage', deliveries: 'deliveries.view', activity: 'users.activity' } as const

export const dashboardNeeds = Object.values(parts)

function Numbers() {
  const { data, error } = useStats()
  if (error !== null && data === undefined) return <LoadError error={error} what="The numbers" />
  return (
    <>
      <FirstSteps stats={data} />
      <Totals stats={data} />
      <SignUps stats={data} />
    </>
  )
}

/** What an administrator wants to know first; each part for whom may see it. Everybody else starts at their own account. */
export function Dashboard() {
  const mayStart = useMay(dashboardNeeds)
  const mayUsers = useMay(parts.numbers)
  const mayDeliveries = useMay(parts.deliveries)
  const mayActivity = useMay(parts.activity)
  if (!mayStart) return <Navigate to="/account" replace />
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr)',
        maxWidth: 1200,
        mx: 'auto',
        width: '100%',
      }}
    >
      <Title title="Dashboard" />
      {mayUsers ? <Numbers /> : null}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { lg: '1fr 1fr' }, alignItems: 'start' }}>
        {mayUsers ? <LatestUsers /> : null}
        {mayActivity ? <RecentActivity /> : null}
        {mayDeliveries ? <FailedDeliveries /> : null}
      </Box>
    </Box>
  )
}
