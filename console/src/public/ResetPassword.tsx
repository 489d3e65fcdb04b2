import { api, unwrap } from '../api/client.ts'
import { resetIsOff } from './ForgotPassword.tsx'
import { useForm } from './form.tsx'
import type { Meta } from './meta.ts'
import { Failure, Frame, PageLink, Submit } from './parts.tsx'
import { checkNewPassword, NewPassword } from './password.tsx'
import { navigate, useHanded } from './router.ts'

const invalidLink = (email?: string) => (
  <Frame
    title="This link does not work"
    lead={<p>It is incomplete, has been used already, or is older than one hour.</p>}
    foot={<PageLink to="login">Back to sign in</PageLink>}
  >
    <PageLink to="forgot-password" className="primary" handed={email === undefined ? {} : { email }}>
      Get a new link
    </PageLink>
  </Frame>
)

/** A new password, with the link from the mail. */
export function ResetPassword({ meta }: { meta: Meta }) {
  const { token, email } = useHanded()
  const { password_min_length: minLength } = meta
  const form = useForm({
    fields: ['password', 'password_confirmation'],
    check: (values) => checkNewPassword(values, minLength, [email ?? '']),
    send: async ({ password = '', password_confirmation = '' }) => {
      const body = { token: token ?? '', email: email ?? '', password, password_confirmation }
      await unwrap(api.POST('/password/reset', { body }))
      navigate('login', { email: email ?? '', done: 'reset' })
    },
  })
  if (!meta.features.password_reset) return resetIsOff
  if (token === undefined || email === undefined || form.failure?.status === 400) return invalidLink(email)
  return (
    <Frame
      title="Choose a new password"
      lead={
        <p>
          For <strong>{email}</strong>. You will be signed out everywhere.
        </p>
      }
      foot={<PageLink to="login">Back to sign in</PageLink>}
    >
      <Failure form={form} />
      <form {...form.props}>
        {/* Tells a password manager whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPassword form={form} minLength={minLength} names={[email]} label="New password" autoFocus />
        <Submit form={form}>Change password</Submit>
      </form>
    </Frame>
  )
}
