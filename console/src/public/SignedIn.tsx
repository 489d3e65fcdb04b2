import { safeNext } from '../api/address.ts'
import { nameOf } from '../api/user-name.ts'
import type { User } from './meta.ts'
import { Done, Frame } from './parts.tsx'
import { useHanded } from './router.ts'
import { SignOut } from './SignOut.tsx'

/** Who is signed in already need not do it again. */
export const SignedIn = ({ user }: { user: User }) => (
  <Frame
    title="You are signed in"
    lead={
      <p>
        As <strong>{nameOf(user)}</strong> ({user.email}).
      </p>
    }
    foot={<SignOut />}
  >
    <Done what={useHanded().done ?? ''} />
    <a className="primary" href={safeNext(new URLSearchParams(location.search).get('next'))}>
      Continue
    </a>
  </Frame>
)
