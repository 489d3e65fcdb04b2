import { useOnce } from '@gatehouse/plugin-kit/once'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect, useState } from 'react'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { askPasskey, hasPasskeys } from '../api/passkeys.ts'
import { asTyped } from '../design/as-typed.ts'
import { arrive, knownName, rememberName, signIn } from './arrive.ts'
import { type Form, useForm, type Values } from './form.tsx'
import type { Meta } from './meta.ts'
import { Done, Field, Frame, Notice, PageLink, PasswordField, Submit } from './parts.tsx'
import { type Handed, useHanded, useStep } from './router.ts'
import { SecondStep } from './SecondStep.tsx'
import { useChallenge } from './use-challenge.ts'

/** Signs in with a passkey, without a name. With `gone` the browser offers it in the name field until that signal aborts. */
async function signInWithPasskey(gone?: AbortSignal): Promise<void> {
  const { challenge, options } = await unwrap(api.POST('/login/passkey/options', { signal: gone }))
  const credential = await askPasskey(options, gone !== undefined)
  await arrive(await unwrap(api.POST('/login/passkey', { body: { challenge, credential, cookie: true } })))
}

/** Offers passkeys among what the browser fills in, as long as the page is open. */
function useQuietPasskey(setProblem: (problem: string) => void): void {
  useEffect(() => {
    const gone = new AbortController()
    browserSupportsWebAuthnAutofill()
      .then((is) => (is && !gone.signal.aborted ? signInWithPasskey(gone.signal) : undefined))
      .catch((error: ApiError) => {
        if (!gone.signal.aborted && error.code === 'passkey_invalid') setProblem('This passkey was not accepted.')
      })
    return () => {
      gone.abort()
      WebAuthnAbortService.cancelCeremony()
    }
  }, [setProblem])
}

/** The button for a passkey on this device, or on a phone beside it. */
function PasskeyButton({ setProblem }: { setProblem: (problem: string) => void }) {
  const [ask, isBusy] = useOnce(async () => {
    setProblem('')
    await signInWithPasskey().catch((error: ApiError) =>
      setProblem(error.code === 'passkey_invalid' ? 'This passkey was not accepted.' : error.message),
    )
  })
  return (
    <>
      <p className="or">or</p>
      <button type="button" className="secondary" onClick={ask} aria-disabled={isBusy}>
        Use a passkey
      </button>
    </>
  )
}

/** Why the account cannot be used, and what helps. */
function Refusal({ failure, username }: { failure: ApiError; username: string }) {
  if (failure.code !== 'account_unconfirmed') return <Notice tone="error">{failure.message}</Notice>
  const handed: Handed = username.includes('@') ? { email: username } : {}
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
  const { email = knownName(), done = '' } = useHanded()
  const [credentials, setCredentials] = useState<Values>({ username: email })
  const [challenge, setChallenge] = useStep('code', useChallenge())
  const [over, setOver] = useState('')
  const form = useForm({
    fields: ['username', 'password'],
    check: ({ username, password }) => ({
      username: username?.trim() ? '' : 'Enter your email or username.',
      password: password ? '' : 'Enter your password.',
    }),
    // The message stands at the name, for it may be either; far more often it is the password.
    correct: ({ code }) => (code === 'invalid_credentials' ? 'password' : undefined),
    send: async (values) => {
      setCredentials(values)
      setOver('')
      setChallenge(await signIn(values))
    },
  })

  if (challenge !== undefined) {
    const onOver = (why: string) => {
      setOver(why)
      setChallenge(undefined)
    }
    return <SecondStep challenge={challenge} onBack={() => setChallenge(undefined)} onOver={onOver} />
  }
  const { registration, password_reset } = meta.features
  return (
    <Start
      form={form}
      username={credentials.username ?? ''}
      hasRegistration={registration}
      hasReset={password_reset}
      done={done}
      over={over}
    />
  )
}

interface StartProps {
  readonly form: Form
  readonly username: string
  readonly hasRegistration: boolean
  readonly hasReset: boolean
  readonly done: string
  /** Why the second step came to no good end. */
  readonly over: string
}

/** Without a cookie one would come back here, signed in or not. */
const noCookies = 'Your browser keeps no cookies of this site. Allow them in its settings, then sign in.'

/** The first step: a passkey, or a name and a password. */
function Start({ form, username, hasRegistration, hasReset, done, over }: StartProps) {
  const [problem, setProblem] = useState(navigator.cookieEnabled ? over : noCookies)
  useQuietPasskey(setProblem)
  return (
    <Frame
      title="Sign in"
      foot={
        hasRegistration ? (
          <>
            New here? <PageLink to="register">Create an account</PageLink>
          </>
        ) : undefined
      }
    >
      <Done what={done} next="Sign in to begin." />
      <div role="alert">
        {problem === '' ? null : <div className="notice error">{problem}</div>}
        {form.failure === undefined ? null : <Refusal failure={form.failure} username={username} />}
      </div>
      <form {...form.props}>
        <Field
          form={form}
          name="username"
          label="Email or username"
          autoComplete="username webauthn"
          type="text"
          {...asTyped}
          defaultValue={username}
          onInput={({ currentTarget }) => rememberName(currentTarget.value)}
          autoFocus={username === ''}
        />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          aside={hasReset ? <PageLink to="forgot-password">Forgot password?</PageLink> : undefined}
          autoFocus={username !== ''}
        />
        <Submit form={form}>Sign in</Submit>
      </form>
      {hasPasskeys() ? <PasskeyButton setProblem={setProblem} /> : null}
    </Frame>
  )
}
