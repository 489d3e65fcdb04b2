import { useEffect, useState } from 'react'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { useForm } from './form.tsx'
import type { Meta } from './meta.ts'
import { Failure, Field, Frame, PageLink, Submit } from './parts.tsx'
import { checkNewPassword, NewPassword } from './password.tsx'
import { navigate, useHanded } from './router.ts'

const invalid = (
  <Frame
    title="This invitation does not work"
    lead={<p>It is incomplete, has been used already, or is older than three days. Ask for another one.</p>}
    foot={<PageLink to="login">Back to sign in</PageLink>}
  />
)

/** Whose invitation it is; undefined while nobody knows. */
function useInvitation(token: string | undefined) {
  const [invited, setInvited] = useState<{ email: string; username?: string | null }>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    if (token === undefined) return
    unwrap(api.POST('/invitations/preview', { body: { token } })).then(({ data }) => setInvited(data), setError)
  }, [token])
  return { invited, error }
}

/** The first password of an account, with the link from the invitation. */
export function AcceptInvitation({ meta }: { meta: Meta }) {
  const { token } = useHanded()
  const { password_min_length: minLength } = meta
  const { invited, error } = useInvitation(token)
  const email = invited?.email ?? ''
  const form = useForm({
    fields: ['username', 'password', 'password_confirmation'],
    check: (values) => checkNewPassword(values, minLength, [email]),
    send: async ({ username = '', password = '', password_confirmation = '' }) => {
      const named = username.trim() === '' ? {} : { username }
      const body = { token: token ?? '', password, password_confirmation, ...named }
      await unwrap(api.POST('/invitations/accept', { body }))
      navigate('login', { email, done: 'invited' })
    },
  })
  if (token === undefined || error?.status === 400 || error?.status === 422 || form.failure?.status === 400)
    return invalid
  return (
    <Frame
      title="Welcome"
      lead={
        <p>
          Choose a password for your account <strong>{email}</strong>.
        </p>
      }
      foot={<PageLink to="login">Back to sign in</PageLink>}
    >
      <Failure form={form} />
      <form {...form.props}>
        {invited?.username == null ? (
          <Field form={form} name="username" label="Username (optional)" autoComplete="username" />
        ) : (
          <input type="text" name="username" autoComplete="username" value={invited.username} readOnly hidden />
        )}
        <NewPassword form={form} minLength={minLength} names={[email]} label="Password" />
        <Submit form={form}>Begin</Submit>
      </form>
    </Frame>
  )
}
