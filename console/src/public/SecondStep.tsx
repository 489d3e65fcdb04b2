import { ApiError, api, unwrap } from '../api/client.ts'
import { useForm } from './form.tsx'
import { AgainButton, Failure, Field, Frame, Submit } from './parts.tsx'

const digits = 6

interface Props {
  readonly challenge: string
  readonly enter: () => Promise<never>
  /** Undefined where the password is not known any more. */
  readonly resend: (() => Promise<void>) | undefined
  readonly onBack: () => void
}

/** The refusal of a code names no field: there is but one. */
const atToken = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'two_factor_token_invalid'
    ? new ApiError(error.message, 422, error.code, { token: ['This code is wrong or has expired.'] })
    : error

/** The code from the SMS. The last digit sends it. */
export function SecondStep({ challenge, enter, resend, onBack }: Props) {
  const form = useForm({
    fields: ['token'],
    check: ({ token = '' }) => ({ token: token.trim() === '' ? 'Enter the code.' : '' }),
    send: async ({ token = '' }) => {
      const body = { challenge, token: token.replaceAll(/\s/g, '') }
      await unwrap(api.POST('/login/2fa', { body })).catch((error) => {
        throw atToken(error)
      })
      await enter()
    },
  })
  return (
    <Frame
      title="Enter the code"
      lead={<p>We sent a code of {digits} digits to your phone by SMS. It is valid for five minutes.</p>}
      foot={
        <button type="button" className="link" onClick={onBack}>
          Back to sign in
        </button>
      }
    >
      <Failure form={form} />
      <form {...form.props}>
        <Field
          form={form}
          name="token"
          label="Code"
          type="text"
          className="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          spellCheck={false}
          autoFocus
          onInput={({ currentTarget }) => {
            if (currentTarget.value.replaceAll(/\D/g, '').length === digits) currentTarget.form?.requestSubmit()
          }}
        />
        <Submit form={form}>Sign in</Submit>
      </form>
      {resend === undefined ? null : <AgainButton label="Send a new code" send={resend} />}
    </Frame>
  )
}
