import type { components } from '@gatehouse/client'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { asTyped } from '../design/as-typed.ts'
import { WhosePassword } from '../design/WhosePassword.tsx'
import { useForm } from './form.tsx'
import { LinkPage } from './LinkPage.tsx'
import type { Meta } from './meta.ts'
import { Failure, Field, Frame, PageLink, Submit } from './parts.tsx'
import { checkNewPassword, NewPassword } from './password.tsx'
import { navigate } from './router.ts'

const invalid = (
  <Frame
    title="This invitation does not work"
    lead={
      <p>
        It is incomplete, has been used already, or is older than three days. If you have your account already, just
        sign in. Else ask who invited you for another one.
      </p>
    }
  >
    <PageLink to="login" className="primary">
      Sign in
    </PageLink>
  </Frame>
)

/** Whose invitation it is. */
type Invited = components['schemas']['InvitationPreview']

const load = (token: string): Promise<{ data: Invited }> =>
  unwrap(api.POST('/invitations/preview', { body: { token } }))

function Accept({ token, invited, minLength }: { token: string; invited: Invited; minLength: number }) {
  const { email } = invited
  const [typed, setTyped] = useState('')
  const names = (username = '') => [email, invited.username ?? username]
  const form = useForm({
    fields: ['username', 'password', 'password_confirmation'],
    check: (values) => checkNewPassword(values, minLength, names(values.username)),
    send: async ({ username = '', password = '', password_confirmation = '' }) => {
      const named = username.trim() === '' ? {} : { username }
      const body = { token, password, password_confirmation, ...named }
      await unwrap(api.POST('/invitations/accept', { body }))
      navigate('login', { email, done: 'invited' })
    },
  })
  if (form.failure?.status === 400) return invalid
  return (
    <Frame
      title="Welcome"
      lead={
        <p>
          Choose a password for your account <strong>{email}</strong>.
        </p>
      }
      foot={<PageLink to="login">Back to sign in</PageLink>}
    >
      <Failure form={form} />
      <form {...form.props}>
        {invited.username == null ? (
          <Field
            form={form}
            name="username"
            label="Username (optional)"
            type="text"
            autoComplete="username"
            maxLength={255}
            {...asTyped}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        ) : (
          <WhosePassword name={invited.username} />
        )}
        <NewPassword form={form} minLength={minLength} names={names(typed)} label="Password" />
        <Submit form={form}>Begin</Submit>
      </form>
    </Frame>
  )
}

/** The first password of an account, with the link from the invitation. */
export const AcceptInvitation = ({ meta }: { meta: Meta }) => (
  <LinkPage load={load} invalid={invalid}>
    {(token, invited) => <Accept token={token} invited={invited} minLength={meta.password_min_length} />}
  </LinkPage>
)
