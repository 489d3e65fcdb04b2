import { SetPassword } from './SetPassword.tsx'
import { TwoFactor } from './TwoFactor.tsx'
import type { TabProps } from './tab.ts'

export const SecurityTab = ({ user, mayChange }: TabProps) => (
  <>
    {mayChange ? <SetPassword user={user} /> : null}
    <TwoFactor user={user} mayChange={mayChange} />
  </>
)
