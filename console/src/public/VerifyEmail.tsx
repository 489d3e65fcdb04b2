import { useEffect, useState } from 'react'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { useForm } from './form.tsx'
import { Failure, Frame, PageLink, Submit } from './parts.tsx'
import { navigate, useHanded } from './router.ts'

const invalidLink = (
  <Frame
    title="This link does not work"
    lead={
      <p>
        It is incomplete, has been used already, or is older than 24 hours. If your address is confirmed, just sign in.
      </p>
    }
    foot={<PageLink to="login">Sign in</PageLink>}
  >
    <PageLink to="check-mail" className="primary">
      Get a new link
    </PageLink>
  </Frame>
)

/** Whose address it is, and a button: programs that scan mail open links, too, but click nothing. */
function Confirm({ token, email }: { token: string; email: string }) {
  const form = useForm({
    fields: [],
    send: async () => {
      await unwrap(api.POST('/email/verify', { body: { token } }))
      navigate('login', { email, done: 'confirmed' })
    },
  })
  if (form.failure?.code === 'email_token_invalid') return invalidLink
  return (
    <Frame
      title="Confirm your email"
      lead={
        <p>
          Is <strong>{email}</strong> your address? Then confirm it. If you did not ask for this, close the page.
        </p>
      }
    >
      <Failure form={form} />
      <form {...form.props}>
        <Submit form={form}>Confirm</Submit>
      </form>
    </Frame>
  )
}

export function VerifyEmail() {
  const { token } = useHanded()
  const [email, setEmail] = useState<string>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    if (token === undefined) return
    unwrap(api.POST('/email/verify/preview', { body: { token } })).then(({ data }) => setEmail(data.email), setError)
  }, [token])
  if (token === undefined || error?.status === 400 || error?.status === 422) return invalidLink
  if (error !== undefined) {
    return (
      <Frame title="Please try again" lead={<p>{error.message}</p>}>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Try again
        </button>
      </Frame>
    )
  }
  if (email === undefined) return <div className="frame" aria-busy="true" />
  return <Confirm token={token} email={email} />
}
