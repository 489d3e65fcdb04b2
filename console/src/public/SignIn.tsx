import { useState } from 'react'
import { safeNext } from '../api/address.ts'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { tellTabs } from '../api/tabs.ts'
import { useForm, type Values } from './form.tsx'
import type { Meta } from './meta.ts'
import { Done, Field, Frame, Notice, PageLink, PasswordField, Submit } from './parts.tsx'
import { type Handed, useHanded } from './router.ts'
import { SecondStep } from './SecondStep.tsx'
import { forgetChallenge, useChallenge } from './use-challenge.ts'

/** Opens the console, or the page of it that was asked for. */
export const enter = (): Promise<never> => {
  tellTabs('signed-in')
  forgetChallenge()
  location.assign(safeNext(new URLSearchParams(location.search).get('next')))
  return new Promise(() => {}) // the button stays busy until the console is there
}

/** Signs in; a challenge means that a code was sent. */
export async function signIn({ username = '', password = '' }: Values): Promise<string> {
  const answer = await unwrap(api.POST('/login', { body: { username, password, cookie: true } }))
  return answer.challenge ?? enter()
}

/** Why the account cannot be used, and what helps. */
function Refusal({ failure, username }: { failure: ApiError; username: string }) {
  if (failure.code !== 'account_unconfirmed') return <Notice tone="error">{failure.message}</Notice>
  const handed: Handed = username.includes('@') ? { email: username, again: 'yes' } : {}
  return (
    <Notice tone="error">
      Your email address is not confirmed yet. Open the link in the mail that we sent you, or{' '}
      <PageLink to="check-mail" handed={handed}>
        get a new one
      </PageLink>
      .
    </Notice>
  )
}

/** Sign in, with the second step where the account has one. */
export function SignIn({ meta }: { meta: Meta }) {
  const { email = '', done = '' } = useHanded()
  const [credentials, setCredentials] = useState<Values>({ username: email })
  const [challenge, setChallenge] = useChallenge()
  const form = useForm({
    fields: ['username', 'password'],
    check: ({ username, password }) => ({
      username: username?.trim() ? '' : 'Enter your email or username.',
      password: password ? '' : 'Enter your password.',
    }),
    // The message stands at the name, for it may be either; far more often it is the password.
    correct: ({ fields }) => (fields.username === undefined ? undefined : 'password'),
    send: async (values) => {
      setCredentials(values)
      setChallenge(await signIn(values))
    },
  })

  if (challenge !== undefined) {
    // After a reload the password is gone, and so is the way to another code: “Back to sign in” is one.
    const resend = credentials.password === undefined ? undefined : async () => setChallenge(await signIn(credentials))
    return <SecondStep challenge={challenge} enter={enter} resend={resend} onBack={() => setChallenge(undefined)} />
  }
  const { registration, password_reset } = meta.features
  return (
    <Frame
      title="Sign in"
      foot={
        registration ? (
          <>
            New here? <PageLink to="register">Create an account</PageLink>
          </>
        ) : undefined
      }
    >
      <Done what={done} next="Sign in to begin." />
      <div role="alert">
        {form.failure === undefined ? null : <Refusal failure={form.failure} username={credentials.username ?? ''} />}
      </div>
      <form {...form.props}>
        <Field
          form={form}
          name="username"
          label="Email or username"
          autoComplete="username"
          type="text"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={credentials.username}
          autoFocus={credentials.username === ''}
        />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          aside={password_reset ? <PageLink to="forgot-password">Forgot password?</PageLink> : undefined}
          autoFocus={credentials.username !== ''}
        />
        <Submit form={form}>Sign in</Submit>
      </form>
    </Frame>
  )
}
