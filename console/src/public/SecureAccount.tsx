import type { components } from '@gatehouse/client'
import { useOnce } from '@gatehouse/plugin-kit/once'
import { useState } from 'react'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { LinkPage } from './LinkPage.tsx'
import { Frame, Notice, PageLink, Problem } from './parts.tsx'

type Preview = components['schemas']['SecureAccountPreview']

const invalidLink = (
  <Frame
    title="This link does not work"
    lead={<p>It is incomplete, has been used already, or is older than three days.</p>}
    foot={<PageLink to="login">Sign in</PageLink>}
  >
    <PageLink to="forgot-password" className="primary">
      Choose a new password
    </PageLink>
  </Frame>
)

const some = (count: number, one: string, many: string): string => (count === 1 ? `one ${one}` : `${count} ${many}`)

const checkFactors =
  'Second factors stay. Remove each that is not yours as soon as you are signed in: a passkey alone is enough to sign in. If you cannot sign in, ask an administrator.'

/** Asks before anything is done: programs that scan mail open links, too. */
function Ask({ token, preview }: { token: string; preview: Preview }) {
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [secure, isBusy] = useOnce(async () => {
    setError(undefined)
    await unwrap(api.POST('/secure-account', { body: { token } })).then(() => setDone(true), setError)
  })
  const { email, restores_email, sessions, api_keys, factors } = preview
  if (isDone) {
    return (
      <Frame
        title="Your account is secured"
        lead={<p>Open the mail that we sent you, and choose a new password that you use nowhere else.</p>}
        foot={<PageLink to="login">Sign in</PageLink>}
      >
        <Notice tone="success">Nobody is signed in to your account any more.</Notice>
        {factors === 0 ? null : <Notice tone="info">{checkFactors}</Notice>}
      </Frame>
    )
  }
  if (error?.status === 400) return invalidLink // it was used elsewhere meanwhile
  return (
    <Frame
      title="Secure your account"
      lead={<p>Was it not you that the mail tells of? Then take your account back:</p>}
      foot={<PageLink to="login">It was me: leave everything as it is</PageLink>}
    >
      <ul className="actions">
        {restores_email ? (
          <li>
            The account gets the address <strong>{email}</strong> back.
          </li>
        ) : null}
        <li>
          {sessions === 0
            ? 'Nobody stays signed in.'
            : `Everybody is signed out: ${some(sessions, 'session', 'sessions')}.`}
        </li>
        {api_keys === 0 ? null : <li>{some(api_keys, 'new API key is', 'new API keys are')} revoked.</li>}
        <li>Your password no longer works.</li>
        <li>
          We send a link for a new password to <strong>{email}</strong>.
        </li>
        {factors === 0 ? null : <li>{checkFactors}</li>}
      </ul>
      <Problem text={error?.message ?? ''} />
      <button type="button" className="primary" onClick={secure} aria-disabled={isBusy} data-busy={isBusy || undefined}>
        <span>Secure my account</span>
      </button>
    </Frame>
  )
}

const load = (token: string) => unwrap(api.POST('/secure-account/preview', { body: { token } }))

/** Where the link of a security mail leads. */
export const SecureAccount = () => (
  <LinkPage<Preview> load={load} invalid={invalidLink}>
    {(token, preview) => <Ask token={token} preview={preview} />}
  </LinkPage>
)
