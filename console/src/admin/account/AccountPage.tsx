import Box from '@mui/material/Box'
import { Title } from 'react-admin'
import { useSession } from '../session.ts'
import { Factors } from '../users/Factors.tsx'
import { SessionsTab } from '../users/SessionsTab.tsx'
import { SignIns } from '../users/SignIns.tsx'
import { TwoFactor } from '../users/TwoFactor.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { AddFactor } from './AddFactor.tsx'
import { OwnDetails } from './OwnDetails.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { OwnSignIn } from './OwnSignIn.tsx'

const own = { mayChange: true, path: '/me' } as const

/** Everything that somebody may change of their own account. */
export function AccountPage() {
  const { user } = useSession()
  return (
    <Box sx={{ display: 'grid', gap: 2.5, maxWidth: 760, mx: 'auto' }}>
      <Title title="My account" />
      <AccountHeader user={user} />
      <OwnDetails user={user} />
      <OwnSignIn user={user} />
      <OwnPassword user={user} />
      <Factors user={user} {...own} adding={<AddFactor user={user} />} />
      <TwoFactor user={user} {...own} />
      <SessionsTab user={user} {...own} />
      <SignIns user={user} path="/me" />
    </Box>
  )
}
