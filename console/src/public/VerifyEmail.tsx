import { api, unwrap } from '../api/client.ts'
import { WhosePassword } from '../design/WhosePassword.tsx'
import { signIn } from './arrive.ts'
import { useForm } from './form.tsx'
import { LinkPage } from './LinkPage.tsx'
import { Failure, Frame, PageLink, PasswordField, Submit } from './parts.tsx'
import { navigate } from './router.ts'
import { useChallenge } from './use-challenge.ts'

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

/**
 * Whose address it is, and the password of the account: whoever has the mailbox confirms nothing for somebody else, and
 * programs that scan mail open links, too, but know no password.
 */
function Confirm({ token, email }: { token: string; email: string }) {
  const [, setChallenge] = useChallenge()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({ password: password ? '' : 'Enter your password.' }),
    send: async ({ password = '' }) => {
      await unwrap(api.POST('/email/verify', { body: { token, password } }))
      // The address is confirmed, whatever comes of this: the sign-in page says why, and asks again.
      const challenge = await signIn({ username: email, password }).catch(() => undefined)
      setChallenge(challenge)
      navigate('login', challenge === undefined ? { email, done: 'confirmed' } : { email, step: 'code' })
    },
  })
  if (form.failure?.code === 'email_token_invalid') return invalidLink
  return (
    <Frame
      title="Confirm your email"
      lead={
        <p>
          Is <strong>{email}</strong> your address? Then enter the password of your account. If you did not ask for
          this, close the page.
        </p>
      }
      foot={<PageLink to="login">Back to sign in</PageLink>}
    >
      <Failure form={form} />
      <form {...form.props}>
        <WhosePassword name={email} />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          autoFocus
          aside={
            <PageLink to="forgot-password" handed={{ email }}>
              Forgot password?
            </PageLink>
          }
        />
        <Submit form={form}>Confirm and sign in</Submit>
      </form>
    </Frame>
  )
}

/** An account without a password: its address begins the first session, which adds a passkey. */
function ConfirmAlone({ token, email }: { token: string; email: string }) {
  const form = useForm({
    fields: [],
    send: async () => {
      await unwrap(api.POST('/email/verify', { body: { token, cookie: true } as never }))
      navigate('add-factor', { without: 'password' })
    },
  })
  if (form.failure?.code === 'email_token_invalid') return invalidLink
  return (
    <Frame
      title="Confirm your email"
      lead={
        <p>
          Is <strong>{email}</strong> your address, and did you create the account? Then go on, and add a passkey to
          sign in with. If not, close the page.
        </p>
      }
    >
      <Failure form={form} />
      <form {...form.props}>
        <Submit form={form}>Confirm and add a passkey</Submit>
      </form>
    </Frame>
  )
}

const load = (token: string) =>
  unwrap(api.POST('/email/verify/preview', { body: { token } })) as Promise<{
    data: { email: string; without_password?: boolean }
  }>

export const VerifyEmail = () => (
  <LinkPage load={load} invalid={invalidLink}>
    {(token, { email, without_password }) =>
      without_password ? <ConfirmAlone token={token} email={email} /> : <Confirm token={token} email={email} />
    }
  </LinkPage>
)
