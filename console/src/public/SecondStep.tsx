import { useOnce } from '@gatehouse/plugin-kit/once'
import { useState } from 'react'
import { ApiError, api, unwrap } from '../api/client.ts'
import { askPasskey, hasPasskeys } from '../api/passkeys.ts'
import { type Arrived, arrive } from './arrive.ts'
import { useForm } from './form.tsx'
import { AgainButton, CodeField, Failure, Field, Frame, Submit } from './parts.tsx'
import type { Challenge } from './use-challenge.ts'

interface Props {
  readonly challenge: Challenge
  readonly onBack: () => void
}

type Method = 'totp' | 'sms' | 'passkey' | 'recovery_code'

/** What each method is called where one chooses it. */
const names: Record<Method, string> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  sms: 'Get a code by SMS',
  recovery_code: 'Use a recovery code',
}

const leads: Record<Method, string> = {
  passkey: 'Your device asks for your fingerprint, face or PIN.',
  totp: 'Your authenticator app shows a code of six digits, a new one every half minute.',
  sms: 'We sent a code of 6 digits to your phone by SMS. It is valid for five minutes.',
  recovery_code: 'Each of your recovery codes works once.',
}

const titles: Record<Method, string> = {
  passkey: 'Confirm it is you',
  totp: 'Enter the code',
  sms: 'Enter the code',
  recovery_code: 'Enter a recovery code',
}

/** The refusal of a code names no field: there is but one. */
const atToken = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'two_factor_token_invalid'
    ? new ApiError(error.message, 422, error.code, { token: ['This code is wrong or has expired.'] })
    : error

const finish = (body: {
  challenge: string
  token?: string
  method?: 'totp' | 'sms' | 'recovery_code'
}): Promise<Arrived> =>
  unwrap(api.POST('/login/2fa', { body })).catch((error) => {
    throw atToken(error)
  })

function Code({ challenge, method }: { challenge: string; method: Exclude<Method, 'passkey'> }) {
  const form = useForm({
    fields: ['token'],
    check: ({ token = '' }) => ({ token: token.trim() === '' ? 'Enter the code.' : '' }),
    send: async ({ token = '' }) => arrive(await finish({ challenge, token: token.replaceAll(/\s/g, ''), method })),
  })
  return (
    <>
      <Failure form={form} />
      <form {...form.props}>
        {method === 'recovery_code' ? (
          <Field
            form={form}
            name="token"
            label="Recovery code"
            type="text"
            className="code recovery"
            autoComplete="off"
            autoCapitalize="none"
            placeholder="xxxxx-xxxxx"
            maxLength={20}
            spellCheck={false}
            autoFocus
          />
        ) : (
          <CodeField form={form} />
        )}
        <Submit form={form}>Sign in</Submit>
      </form>
    </>
  )
}

function Passkey({ challenge: { challenge, options = {} } }: { challenge: Challenge }) {
  const [problem, setProblem] = useState('')
  const [ask, isBusy] = useOnce(async () => {
    setProblem('')
    try {
      const credential = await askPasskey(options)
      await arrive(await unwrap(api.POST('/login/2fa', { body: { challenge, credential } })))
    } catch (error) {
      setProblem(
        error instanceof ApiError && error.code === 'two_factor_token_invalid'
          ? 'This passkey was not accepted.'
          : (error as Error).message,
      )
    }
  })
  return (
    <>
      <div role="alert">{problem === '' ? null : <div className="notice error">{problem}</div>}</div>
      <button type="button" className="primary" onClick={ask} aria-disabled={isBusy} data-busy={isBusy || undefined}>
        <span>Use a passkey</span>
      </button>
    </>
  )
}

/** The second factor: the preferred one first, the others a click away. */
export function SecondStep({ challenge, onBack }: Props) {
  const offered = challenge.methods.filter((name): name is Method => name in names)
  const usable = offered.filter((name) => name !== 'passkey' || hasPasskeys())
  const [method, setMethod] = useState<Method>(usable[0] ?? 'sms')
  const [isSent, setSent] = useState(challenge.methods[0] === 'sms')
  const [problem, setProblem] = useState('')
  const sendCode = () => unwrap(api.POST('/login/2fa/sms', { body: { challenge: challenge.challenge } }))
  const [choose] = useOnce(async (next: Method) => {
    setProblem('')
    if (next === 'sms' && !isSent) {
      try {
        await sendCode()
        setSent(true)
      } catch (error) {
        return setProblem((error as Error).message)
      }
    }
    setMethod(next)
  })
  return (
    <Frame
      title={titles[method]}
      lead={<p>{leads[method]}</p>}
      foot={
        <button type="button" className="link" onClick={onBack}>
          Back to sign in
        </button>
      }
    >
      <div role="alert">{problem === '' ? null : <div className="notice error">{problem}</div>}</div>
      {method === 'passkey' ? (
        <Passkey challenge={challenge} />
      ) : (
        <Code key={method} challenge={challenge.challenge} method={method} />
      )}
      {method === 'sms' ? <AgainButton label="Send a new code" send={sendCode} /> : null}
      {usable.length < 2 ? null : (
        <ul className="ways" aria-label="Other ways">
          {usable
            .filter((name) => name !== method)
            .map((name) => (
              <li key={name}>
                <button type="button" className="link" onClick={() => choose(name)}>
                  {names[name]}
                </button>
              </li>
            ))}
        </ul>
      )}
    </Frame>
  )
}
