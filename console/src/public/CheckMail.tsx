import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { EmailField, looksLikeEmail } from './email.tsx'
import { useForm } from './form.tsx'
import { AgainButton, Failure, Frame, PageLink, Submit } from './parts.tsx'
import { useHanded } from './router.ts'

const resend = (email: string) => unwrap(api.POST('/email/resend', { body: { email } }))

const foot = <PageLink to="login">Back to sign in</PageLink>

/** "Check your mail", and the way to a new confirmation link. */
export function CheckMail() {
  const { email: registered, again } = useHanded()
  const [asked, setAsked] = useState<string>()
  const email = asked ?? (again === undefined ? registered : undefined)
  const form = useForm({
    fields: ['email'],
    check: (values) => ({ email: looksLikeEmail(values.email ?? '') ? '' : 'Enter your email address.' }),
    send: async (values) => {
      const typed = (values.email ?? '').trim()
      await resend(typed)
      setAsked(typed)
    },
  })
  if (email === undefined) {
    return (
      <Frame
        title="Get a new link"
        lead={<p>Enter the address that you registered with. We send a new confirmation link there.</p>}
        foot={foot}
      >
        <Failure form={form} />
        <form {...form.props}>
          <EmailField form={form} defaultValue={registered} />
          <Submit form={form}>Send the link</Submit>
        </form>
      </Frame>
    )
  }
  return (
    <Frame
      title="Check your mail"
      lead={
        <>
          <p>
            {asked === undefined
              ? 'We sent a confirmation link to '
              : 'If an account waits for it, a new confirmation link is on its way to '}
            <strong>{email}</strong>. Open it within 24 hours to finish.
          </p>
          <p>Nothing there? Look into your spam folder, too.</p>
        </>
      }
      foot={foot}
    >
      <AgainButton label="Send it again" send={() => resend(email)} />
    </Frame>
  )
}
