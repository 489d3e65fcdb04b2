import type { components } from '@gatehouse/client'
import { useOnce } from '@gatehouse/plugin-kit/once'
import { useEffect, useState } from 'react'
import { atToken, digitsIn } from '../api/challenge.ts'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { isPhone } from '../api/device.ts'
import { hasPasskeys, makePasskey } from '../api/passkeys.ts'
import { useLeaveWarning } from '../api/use-leave-warning.ts'
import { AddPhone, type SmsCountry } from './AddPhone.tsx'
import { enter, knownPassword } from './arrive.ts'
import { CopyButton } from './CopyButton.tsx'
import { useForm } from './form.tsx'
import { CodeField, Failure, Frame, PasswordField, Problem, Submit } from './parts.tsx'
import { useBackQuestion, useHanded, useStep } from './router.ts'
import { SignOut } from './SignOut.tsx'

type App = components['schemas']['NewTotp']

const lead = (
  <p>Your role asks for a second factor beside the password. It takes a minute, and you need it at each sign-in.</p>
)

/** Who came without the sign-in page before this one is asked for the password. */
function AskPassword({ problem, onKnown }: { problem: string; onKnown: (password: string) => void }) {
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({ password: password ? '' : 'Enter your password.' }),
    send: async ({ password = '' }) => onKnown(password),
  })
  return (
    <Frame title="Protect your account" lead={lead} foot={<SignOut />}>
      <Problem text={problem} />
      <form {...form.props}>
        <PasswordField form={form} name="password" label="Password" autoComplete="current-password" autoFocus />
        <Submit form={form}>Continue</Submit>
      </form>
    </Frame>
  )
}

/** An account without a password needs a passkey: nothing else would sign it in. */
const leadWithout = <p>Your fingerprint, face or PIN on this device signs you in from now on, without a password.</p>

interface ChooseProps {
  readonly password: string
  readonly isWithoutPassword: boolean
  readonly onApp: (app: App) => void
  readonly onPhone: (countries: readonly SmsCountry[]) => void
  readonly onDone: Done
  readonly onWrongPassword: (problem: string) => void
}

/** Where codes by SMS can go; nowhere, where no SMS service is configured. */
function useSmsCountries(): readonly SmsCountry[] {
  const [countries, setCountries] = useState<readonly SmsCountry[]>([])
  useEffect(() => {
    unwrap(api.GET('/me/2fa/countries')).then(
      ({ data }) => setCountries(data),
      () => {}, // the other ways are there
    )
  }, [])
  return countries
}

function Choose({ password, isWithoutPassword, onApp, onPhone, onDone, onWrongPassword }: ChooseProps) {
  const countries = useSmsCountries()
  const [problem, setProblem] = useState('')
  const [choose, isBusy] = useOnce(async (work: () => Promise<void>) => {
    setProblem('')
    await work().catch((error: ApiError) => {
      const [wrong] = error.fields?.current_password ?? []
      if (wrong !== undefined) onWrongPassword(wrong)
      else setProblem(Object.values(error.fields ?? {}).flat()[0] ?? error.message)
    })
  })
  const body = password === '' ? {} : { current_password: password }
  const addApp = async () => onApp((await unwrap(api.POST('/me/factors/totp', { body }))).data)
  const addPasskey = async () => {
    const options = await unwrap(api.POST('/me/factors/passkeys/options', { body }))
    const credential = await makePasskey(options)
    onDone((await unwrap(api.POST('/me/factors/passkeys', { body: { credential } }))).recovery_codes)
  }
  return (
    <Frame
      title={isWithoutPassword ? 'Add your passkey' : 'Protect your account'}
      lead={isWithoutPassword ? leadWithout : lead}
      foot={<SignOut />}
    >
      <Problem text={problem} />
      {hasPasskeys() ? (
        <button type="button" className="primary" onClick={() => choose(addPasskey)} aria-disabled={isBusy}>
          Add a passkey
        </button>
      ) : null}
      {isWithoutPassword ? null : (
        <>
          <button
            type="button"
            className={hasPasskeys() ? 'secondary' : 'primary'}
            onClick={() => choose(addApp)}
            aria-disabled={isBusy}
          >
            Use an authenticator app
          </button>
          {countries.length === 0 ? null : (
            <button type="button" className="secondary" onClick={() => onPhone(countries)} aria-disabled={isBusy}>
              Get codes by SMS
            </button>
          )}
          <p className="message">
            A passkey is your fingerprint, face or PIN on a device. An authenticator app shows codes of six digits.
          </p>
        </>
      )}
    </Frame>
  )
}

type Done = (codes: readonly string[] | undefined) => void

function Scan({ app: { id, secret, uri, qr }, onDone, onBack }: { app: App; onDone: Done; onBack: () => void }) {
  const form = useForm({
    fields: ['token'],
    check: ({ token = '' }) => ({ token: digitsIn(token) === '' ? 'Enter the code.' : '' }),
    send: async ({ token = '' }) => {
      const request = api.POST('/me/factors/totp/{factor}/verify', {
        params: { path: { factor: id } },
        body: { token: digitsIn(token) },
      })
      onDone((await unwrap(request).catch(atToken)).recovery_codes)
    },
  })
  return (
    <Frame
      title="Scan the code"
      lead={<p>Open your authenticator app, scan this picture, and enter the six digits that the app shows.</p>}
      foot={
        <button type="button" className="link" onClick={onBack}>
          Choose another way
        </button>
      }
    >
      <img className="qr" src={qr} alt="QR code for your authenticator app" width="200" height="200" />
      <details open={isPhone}>
        <summary>The app is on this device, or cannot scan?</summary>
        {isPhone ? (
          <a className="secondary" href={uri}>
            Open the app
          </a>
        ) : null}
        <p>{isPhone ? 'If it does not open, enter' : 'Enter'} this key in the app:</p>
        <code className="key">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton text={secret}>Copy the key</CopyButton>
      </details>
      <Failure form={form} />
      <form {...form.props}>
        {/* On a phone one goes to the app first: the keyboard would cover the way there. */}
        <CodeField form={form} autoFocus={!isPhone} />
        <Submit form={form}>Continue</Submit>
      </form>
    </Frame>
  )
}

function Codes({ codes }: { codes: readonly string[] }) {
  const [isKept, setKept] = useState(false)
  useLeaveWarning(!isKept)
  useBackQuestion('The recovery codes are shown only now. Leave without them?', !isKept)
  useEffect(() => {
    if (isKept) enter()
  }, [isKept])
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  return (
    <Frame
      title="Keep your recovery codes"
      lead={<p>If you lose your phone or your passkey, each of these signs you in once. They are shown only now.</p>}
    >
      <ul className="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="pair">
        <CopyButton text={codes.join('\n')}>Copy</CopyButton>
        <a className="secondary" href={file} download="gatehouse-recovery-codes.txt">
          Save as a file
        </a>
      </div>
      <button type="button" className="primary" onClick={() => setKept(true)}>
        I have kept them
      </button>
    </Frame>
  )
}

/** The guided way to a second factor, where the role requires one. */
export function AddFactor() {
  const isNew = useHanded().without === 'password'
  const [password, setPassword] = useState(knownPassword)
  const [problem, setProblem] = useState('')
  const [app, setApp] = useStep('app', useState<App>())
  const [countries, setCountries] = useStep('phone', useState<readonly SmsCountry[]>())
  const [codes, setCodes] = useState<readonly string[]>()
  const askAgain = (why: string) => {
    setProblem(why)
    setPassword(undefined)
    setCountries(undefined)
  }
  const done: Done = (brought) => {
    if (brought === undefined) enter()
    else setCodes(brought)
  }
  if (codes !== undefined) return <Codes codes={codes} />
  if (password === undefined && !isNew) return <AskPassword problem={problem} onKnown={setPassword} />
  if (app !== undefined) return <Scan app={app} onDone={done} onBack={() => setApp(undefined)} />
  if (countries !== undefined) {
    const back = () => setCountries(undefined)
    return (
      <AddPhone
        countries={countries}
        password={password ?? ''}
        onDone={done}
        onBack={back}
        onWrongPassword={askAgain}
      />
    )
  }
  return (
    <Choose
      password={password ?? ''}
      isWithoutPassword={isNew}
      onApp={setApp}
      onPhone={setCountries}
      onDone={done}
      onWrongPassword={askAgain}
    />
  )
}
