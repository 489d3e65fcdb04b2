import { useOnce } from '@gatehouse/plugin-kit/once'
import { useState } from 'react'
import { home, safeNext } from '../api/address.ts'
import { api, unwrap } from '../api/client.ts'
import { tellTabs } from '../api/tabs.ts'
import { nameOf } from '../api/user-name.ts'
import type { User } from './meta.ts'
import { Done, Frame } from './parts.tsx'
import { useHanded } from './router.ts'

/** Who is signed in already need not do it again. */
export function SignedIn({ user }: { user: User }) {
  const [error, setError] = useState('')
  const [signOut] = useOnce(() =>
    unwrap(api.POST('/logout')).then(
      () => {
        tellTabs('signed-out')
        location.assign(`${home}login`)
      },
      (failure: Error) => setError(failure.message),
    ),
  )
  return (
    <Frame
      title="You are signed in"
      lead={
        <p>
          As <strong>{nameOf(user)}</strong> ({user.email}).
        </p>
      }
      foot={
        <button type="button" className="link" onClick={signOut}>
          Sign out and use another account
        </button>
      }
    >
      <Done what={useHanded().done ?? ''} />
      <a className="primary" href={safeNext(new URLSearchParams(location.search).get('next'))}>
        Continue
      </a>
      <p className="message wrong" role="alert">
        {error}
      </p>
    </Frame>
  )
}
