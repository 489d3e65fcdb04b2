import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { EmailField, looksLikeEmail } from './email.tsx'
import { useForm } from './form.tsx'
import type { Meta } from './meta.ts'
import { AgainButton, Failure, Frame, PageLink, Submit } from './parts.tsx'
import { useHanded } from './router.ts'

const remind = (email: string) => unwrap(api.POST('/password/remind', { body: { email } }))

const foot = <PageLink to="login">Back to sign in</PageLink>

export const resetIsOff = (
  <Frame
    title="Password reset is switched off"
    lead={<p>An administrator can give you a new password. Ask them for it.</p>}
  >
    <PageLink to="login" className="primary">
      Sign in
    </PageLink>
  </Frame>
)

/** Asks for a reset link. The answer is the same whether or not there is such an account. */
export function ForgotPassword({ meta }: { meta: Meta }) {
  const { email: known } = useHanded()
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    fields: ['email'],
    check: ({ email = '' }) => ({ email: looksLikeEmail(email) ? '' : 'Enter your email address.' }),
    send: async ({ email = '' }) => {
      await remind(email.trim())
      setSentTo(email.trim())
    },
  })
  if (!meta.features.password_reset) return resetIsOff
  if (sentTo !== undefined) {
    return (
      <Frame
        title="Check your mail"
        lead={
          <>
            <p>
              If there is an account for <strong>{sentTo}</strong>, a link to reset its password is on its way. It works
              for one hour.
            </p>
            <p>Nothing there? Look into your spam folder, too.</p>
          </>
        }
        foot={foot}
      >
        <AgainButton label="Send it again" send={() => remind(sentTo)} />
      </Frame>
    )
  }
  return (
    <Frame
      title="Reset your password"
      lead={<p>Enter your email address. We send you a link to choose a new password.</p>}
      foot={foot}
    >
      <Failure form={form} />
      <form {...form.props}>
        <EmailField form={form} defaultValue={known} />
        <Submit form={form}>Send the link</Submit>
      </form>
    </Frame>
  )
}
