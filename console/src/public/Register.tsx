import { useId, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { hasPasskeys } from '../api/passkeys.ts'
import { asTyped } from '../design/as-typed.ts'
import { rememberName } from './arrive.ts'
import { Captcha } from './Captcha.tsx'
import { EmailField, looksLikeEmail } from './email.tsx'
import { type Errors, type Form, useForm } from './form.tsx'
import type { Meta } from './meta.ts'
import { Failure, Field, Frame, Notice, PageLink, Submit } from './parts.tsx'
import { checkNewPassword, NewPassword } from './password.tsx'
import { keep, navigate, useHanded } from './router.ts'

const foot = (
  <>
    Have an account? <PageLink to="login">Sign in</PageLink>
  </>
)

function Terms({ form, terms }: { form: Form; terms: NonNullable<Meta['terms']> }) {
  const id = useId()
  const error = form.errors.tos
  return (
    <div className="field">
      <div className="check">
        <input
          type="checkbox"
          id={id}
          name="tos"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-message`}
          onChange={() => form.forget('tos')}
        />
        <label htmlFor={id}>
          I accept the{' '}
          {terms.url === null ? (
            'terms of service'
          ) : (
            <a href={terms.url} target="_blank" rel="noopener noreferrer">
              terms of service<span className="unseen"> (opens in a new tab)</span>
            </a>
          )}
        </label>
      </div>
      <p className={error === undefined ? 'message' : 'message wrong'} id={`${id}-message`} aria-live="polite">
        {error}
      </p>
    </div>
  )
}

function checkNames({ email = '', username = '' }: Record<string, string>): Errors {
  return {
    email: email.trim() === '' ? 'Enter your email address.' : looksLikeEmail(email) ? '' : 'This is no email address.',
    username: username.trim() === '' ? 'Choose a username.' : '',
  }
}

/** Register: what is asked beyond the names and the password, the settings say. */
export function Register({ meta }: { meta: Meta }) {
  const { email = '', username = '', registered } = useHanded()
  const [captcha, setCaptcha] = useState('')
  const { password_min_length: minLength, terms, captcha: provider } = meta
  const [isWithout, setWithout] = useState(false)
  const form = useForm({
    fields: ['email', 'username', 'password', 'password_confirmation', 'tos', 'g-captcha-response'],
    check: (values) => ({
      ...checkNames(values),
      ...(isWithout ? {} : checkNewPassword(values, minLength, [values.email ?? '', values.username ?? ''])),
      tos: terms !== null && values.tos === undefined ? 'Accept the terms to go on.' : '',
      'g-captcha-response': provider !== null && captcha === '' ? 'Solve the captcha first.' : '',
    }),
    send: async (values) => {
      const { email = '', username = '', password = '', password_confirmation = '' } = values
      const body = {
        email: email.trim(),
        username,
        ...(isWithout ? {} : { password, password_confirmation }),
        ...(terms === null ? {} : { tos: values.tos !== undefined }),
        ...(provider === null ? {} : { 'g-captcha-response': captcha }),
      }
      const { requires_email_confirmation } = await unwrap(api.POST('/register', { body: body as never }))
      if (requires_email_confirmation) {
        keep({ registered: body.email })
        navigate('check-mail', { username, registered: body.email })
      } else navigate('login', { email: body.email, done: 'registered' })
    },
  })

  if (!meta.features.registration) {
    return (
      <Frame
        title="Registration is closed"
        lead={<p>New accounts are made by an administrator. Ask them for yours.</p>}
      >
        <PageLink to="login" className="primary">
          Sign in
        </PageLink>
      </Frame>
    )
  }
  return (
    <Frame title="Create an account" foot={foot}>
      {registered === undefined ? null : (
        <Notice tone="info">
          We sent a link to <strong>{registered}</strong>. Is that address wrong? Correct it, and choose another
          username: the account that waits for the link keeps its own.
        </Notice>
      )}
      <Failure form={form} />
      <form {...form.props}>
        <EmailField
          form={form}
          defaultValue={email}
          onInput={({ currentTarget: { value } }) => {
            keep({ email: value })
            rememberName(value) // who has an account signs in with it
          }}
        />
        <Field
          form={form}
          name="username"
          label="Username"
          type="text"
          autoComplete="username"
          maxLength={255}
          {...asTyped}
          defaultValue={username}
          onInput={({ currentTarget }) => keep({ username: currentTarget.value })}
        />
        {isWithout ? (
          <p className="message">We send you a link. It lets you add a passkey, which signs you in.</p>
        ) : (
          <NewPassword form={form} minLength={minLength} names={[email, username]} />
        )}
        {meta.features.passwordless && hasPasskeys() ? (
          <button type="button" className="link" onClick={() => setWithout(!isWithout)}>
            {isWithout ? 'Choose a password instead' : 'Use a passkey instead of a password'}
          </button>
        ) : null}
        {terms === null ? null : <Terms form={form} terms={terms} />}
        {provider === null ? null : <Captcha provider={provider} form={form} onSolved={setCaptcha} />}
        <Submit form={form}>Create account</Submit>
      </form>
    </Frame>
  )
}
