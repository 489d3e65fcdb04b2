import type { ReactNode } from 'react'
import { EmailField, looksLikeEmail } from './email.tsx'
import { useForm } from './form.tsx'
import { AgainButton, Failure, Frame, PageLink, Submit } from './parts.tsx'
import { goToStep, keep, useHanded, usePage } from './router.ts'

interface Props {
  readonly title: string
  /** What is sent, and where. */
  readonly lead: string
  /** What the field begins with. */
  readonly known?: string | undefined
  /** Where a link was sent already: then only another one can be asked for. */
  readonly sentBefore?: string | undefined
  /** Where that address can be corrected. */
  readonly change?: ReactNode
  readonly send: (email: string) => Promise<unknown>
  /** What was done for this address; `isAsked` where it was typed here, so that nobody knows whether there is an account. */
  readonly said: (email: ReactNode, isAsked: boolean) => ReactNode
}

const foot = <PageLink to="login">Back to sign in</PageLink>

/** Asks for an address, has a link sent there, and says to look for it. */
export function LinkByMail({ title, lead, known, sentBefore, change, send, said }: Props) {
  const page = usePage()
  const { step, email: typed = known } = useHanded()
  const asked = step === 'sent' ? typed : undefined
  const form = useForm({
    fields: ['email'],
    check: ({ email = '' }) => ({ email: looksLikeEmail(email) ? '' : 'Enter your email address.' }),
    send: async ({ email = '' }) => {
      await send(email.trim())
      keep({ email: email.trim() })
      goToStep('sent')
    },
  })
  const email = asked ?? sentBefore
  if (email !== undefined) {
    return (
      <Frame
        title="Check your mail"
        lead={
          <>
            <p>{said(<strong>{email}</strong>, asked !== undefined)}</p>
            <p>Nothing there? Look into your spam folder, too.</p>
            <p>
              Not your address?{' '}
              {asked === undefined ? (
                change
              ) : (
                <PageLink to={page} handed={{ email }}>
                  Change it
                </PageLink>
              )}
            </p>
          </>
        }
        foot={foot}
      >
        <AgainButton label="Send it again" send={() => send(email)} />
      </Frame>
    )
  }
  return (
    <Frame title={title} lead={<p>{lead}</p>} foot={foot}>
      <Failure form={form} />
      <form {...form.props}>
        <EmailField form={form} defaultValue={typed} />
        <Submit form={form}>Send the link</Submit>
      </form>
    </Frame>
  )
}
