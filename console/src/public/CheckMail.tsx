import { api, unwrap } from '../api/client.ts'
import { LinkByMail } from './LinkByMail.tsx'
import { PageLink } from './parts.tsx'
import { useHanded } from './router.ts'

/** "Check your mail", and the way to a new confirmation link. */
export function CheckMail() {
  const { registered, username = '' } = useHanded()
  return (
    <LinkByMail
      title="Get a new link"
      lead="Enter the address that you registered with. We send a new confirmation link there."
      sentBefore={registered}
      change={
        registered === undefined ? undefined : (
          <PageLink to="register" handed={{ email: registered, username, registered }}>
            Change it
          </PageLink>
        )
      }
      send={(to) => unwrap(api.POST('/email/resend', { body: { email: to } }))}
      said={(to, isAsked) => (
        <>
          {isAsked
            ? 'If an account waits for it, a new confirmation link is on its way to '
            : 'We sent a confirmation link to '}
          {to}. Open it within 24 hours to finish.
        </>
      )}
    />
  )
}
