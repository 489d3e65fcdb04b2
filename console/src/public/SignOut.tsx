import { useOnce } from '@gatehouse/plugin-kit/once'
import { useState } from 'react'
import { home } from '../api/address.ts'
import { api, unwrap } from '../api/client.ts'
import { tellTabs } from '../api/tabs.ts'

/** Ends the session, and leads to the sign-in page. */
export function SignOut() {
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
    <>
      <button type="button" className="link" onClick={signOut}>
        Sign out and use another account
      </button>
      <p className="message wrong" role="alert">
        {error}
      </p>
    </>
  )
}
