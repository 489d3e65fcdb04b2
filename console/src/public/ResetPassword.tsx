import { useEffect, useId, useState } from 'react'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { WhosePassword } from '../design/WhosePassword.tsx'
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

/** How many API keys the account has; undefined while it is not known, and after an error. */
function useKeys(token: string | undefined, email: string | undefined) {
  const [keys, setKeys] = useState<number>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    if (token === undefined || email === undefined) return
    const answer = unwrap(api.POST('/password/reset/preview', { body: { token, email } }))
    answer.then(({ data }) => setKeys(data.api_keys)).catch(setError)
  }, [token, email])
  return { keys, error }
}

/** Whoever had the password may have made keys: they end with it, unless the owner keeps them. */
function RevokeKeys({ count }: { count: number | undefined }) {
  const id = useId()
  return (
    <div className="field">
      <div className="check">
        <input type="checkbox" id={id} name="revoke_keys" defaultChecked aria-describedby={`${id}-message`} />
        <label htmlFor={id}>
          {count === 1
            ? 'Revoke the API key, too'
            : `Revoke the ${count === undefined ? '' : `${count} `}API keys, too`}
        </label>
      </div>
      <p className="message" id={`${id}-message`}>
        Programs that use {count === 1 ? 'it' : 'them'} need a new one.
      </p>
    </div>
  )
}

/** A new password, with the link from the mail. */
export function ResetPassword({ meta }: { meta: Meta }) {
  const { token, email } = useHanded()
  const { password_min_length: minLength } = meta
  const { keys, error } = useKeys(token, email)
  const form = useForm({
    fields: ['password', 'password_confirmation'],
    check: (values) => checkNewPassword(values, minLength, [email ?? '']),
    send: async ({ password = '', password_confirmation = '', revoke_keys }) => {
      const isKept = keys !== 0 && revoke_keys === undefined
      const names = { token: token ?? '', email: email ?? '' }
      const body = { ...names, password, password_confirmation, revoke_keys: !isKept }
      await unwrap(api.POST('/password/reset', { body }))
      navigate('login', { email: email ?? '', done: 'reset' })
    },
  })
  const isOff = form.failure?.status === 404 || error?.status === 404
  if (isOff || (!meta.features.password_reset && token === undefined)) return resetIsOff
  const isWrong = form.failure?.status === 400 || error?.status === 400 || error?.status === 422
  if (token === undefined || email === undefined || isWrong) return invalidLink(email)
  if (keys === undefined && error === undefined) return null // the page says “Loading…” by itself (starting.css)
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
        <WhosePassword name={email} />
        <NewPassword form={form} minLength={minLength} names={[email]} label="New password" autoFocus />
        {keys === 0 ? null : <RevokeKeys count={keys} />}
        <Submit form={form}>Change password</Submit>
      </form>
    </Frame>
  )
}
