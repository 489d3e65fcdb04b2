import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { Section } from '../components/Section.tsx'
import { covers, useSession } from '../session.ts'
import { Factors } from './Factors.tsx'
import { SetPassword } from './SetPassword.tsx'
import { SignIns } from './SignIns.tsx'
import { TwoFactor } from './TwoFactor.tsx'
import type { TabProps } from './tab.ts'

/** Users change these for themselves with the current password, where it is asked for. */
const OnYourAccount = () => (
  <Section title="Sign-in" description="Your own password and two-factor sign-in are under your account.">
    <Button component={Link} to="/account" variant="outlined">
      My account
    </Button>
  </Section>
)

export function SecurityTab({ user, mayChange }: TabProps) {
  const { user: you, permissions } = useSession()
  const maySeeSignIns = covers(permissions, 'users.activity')
  if (you.id === user.id) return <OnYourAccount />
  return (
    <>
      {mayChange ? <SetPassword user={user} /> : null}
      <Factors user={user} mayChange={mayChange} />
      <TwoFactor user={user} mayChange={mayChange} />
      {maySeeSignIns ? <SignIns user={user} /> : null}
    </>
  )
}
