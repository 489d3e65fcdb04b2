import { useOnce } from '@gatehouse/plugin-kit/once'
import { useRef, useState } from 'react'
import { atToken, type Challenge, codeIn, digitsIn, isRefused, whyOver } from '../api/challenge.ts'
import { api, unwrap } from '../api/client.ts'
import { askPasskey, hasPasskeys } from '../api/passkeys.ts'
import { asTyped } from '../design/as-typed.ts'
import { arrive } from './arrive.ts'
import { useForm } from './form.tsx'
import { AgainButton, CodeField, Failure, Field, Frame, Problem, Submit } from './parts.tsx'

interface Props {
  readonly challenge: Challenge
  readonly onBack: () => void
  /** No more answers are taken, and why. */
  readonly onOver: (why: string) => void
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
  recovery_code: 'Each of your recovery codes works once. If you have none left, ask an administrator.',
}

const titles: Record<Method, string> = {
  passkey: 'Confirm it is you',
  totp: 'Enter the code',
  sms: 'Enter the code',
  recovery_code: 'Enter a recovery code',
}

interface StepProps {
  /** Sends an answer to the challenge. */
  readonly finish: (answer: Answer) => Promise<void>
}

interface Answer {
  readonly token?: string
  readonly method?: 'totp' | 'sms' | 'recovery_code'
  readonly credential?: Record<string, unknown>
}

function Code({ finish, method }: StepProps & { method: Exclude<Method, 'passkey'> }) {
  const read = method === 'recovery_code' ? codeIn : digitsIn
  const form = useForm({
    fields: ['token'],
    check: ({ token = '' }) => ({ token: read(token) === '' ? 'Enter the code.' : '' }),
    send: ({ token = '' }) => finish({ token: read(token), method }).catch(atToken),
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
            {...asTyped}
            placeholder="xxxxx-xxxxx"
            maxLength={20}
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

function Passkey({ finish, options = {} }: StepProps & Pick<Challenge, 'options'>) {
  const [problem, setProblem] = useState('')
  const [ask, isBusy] = useOnce(async () => {
    setProblem('')
    try {
      await finish({ credential: await askPasskey(options) })
    } catch (error) {
      setProblem(isRefused(error) ? 'This passkey was not accepted.' : (error as Error).message)
    }
  })
  return (
    <>
      <Problem text={problem} />
      <button type="button" className="primary" onClick={ask} aria-disabled={isBusy} data-busy={isBusy || undefined}>
        <span>Use a passkey</span>
      </button>
    </>
  )
}

/** The second factor: the preferred one first, the others a click away. */
export function SecondStep({ challenge, onBack, onOver }: Props) {
  const offered = challenge.methods.filter((name): name is Method => name in names)
  const usable = offered.filter((name) => name !== 'passkey' || hasPasskeys())
  const [method, setMethod] = useState<Method>(usable[0] ?? 'sms')
  const [isSent, setSent] = useState(challenge.methods[0] === 'sms')
  const [problem, setProblem] = useState('')
  const finish = async (answer: Answer) => {
    const body = { challenge: challenge.challenge, ...answer }
    const arrived = await unwrap(api.POST('/login/2fa', { body })).catch((error) => {
      const why = whyOver(challenge, error)
      if (why !== undefined) onOver(why)
      throw error
    })
    await arrive(arrived)
  }
  const sendCode = () => unwrap(api.POST('/login/2fa/sms', { body: { challenge: challenge.challenge } }))
  const wanted = useRef<Method>(undefined)
  const [askCode, isAsking] = useOnce(async () => {
    try {
      await sendCode()
      setSent(true)
      if (wanted.current === 'sms') setMethod('sms') // else another way was chosen meanwhile
    } catch (error) {
      setProblem((error as Error).message)
    }
  })
  const choose = (next: Method) => {
    wanted.current = next
    setProblem('')
    if (next === 'sms' && !isSent) askCode()
    else setMethod(next)
  }
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
      <Problem text={problem} />
      {method === 'passkey' ? (
        <Passkey finish={finish} options={challenge.options} />
      ) : (
        <Code key={method} finish={finish} method={method} />
      )}
      {method === 'sms' ? <AgainButton label="Send a new code" send={sendCode} /> : null}
      {usable.length < 2 ? null : (
        <ul className="ways" aria-label="Other ways">
          {usable
            .filter((name) => name !== method)
            .map((name) => (
              <li key={name}>
                <button
                  type="button"
                  className="link"
                  onClick={() => choose(name)}
                  data-busy={(isAsking && name === 'sms') || undefined}
                >
                  <span>{names[name]}</span>
                </button>
              </li>
            ))}
        </ul>
      )}
    </Frame>
  )
}
