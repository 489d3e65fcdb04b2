import type { components } from '@gatehouse/client'
import { type ReactNode, useId, useState } from 'react'
import { atToken, digitsIn } from '../api/challenge.ts'
import { type ApiError, api, unwrap } from '../api/client.ts'
import { type Form, useForm } from './form.tsx'
import { AgainButton, CodeField, Failure, Field, Frame, Submit } from './parts.tsx'
import { useStep } from './router.ts'

export type SmsCountry = components['schemas']['SmsCountry']

interface PhoneNumber {
  readonly country_code: number
  readonly phone_number: string
}

interface Props {
  readonly countries: readonly SmsCountry[]
  readonly password: string
  readonly onDone: (codes: readonly string[] | undefined) => void
  readonly onBack: () => void
  readonly onWrongPassword: (problem: string) => void
}

function CountryField({
  form,
  countries,
  known,
}: {
  form: Form
  countries: readonly SmsCountry[]
  known: number | undefined
}) {
  const id = useId()
  const error = form.errors.country_code
  const [only, other] = countries
  return (
    <div className="field">
      <label htmlFor={id}>Country of the phone</label>
      <div className="control">
        <select
          id={id}
          name="country_code"
          autoComplete="country"
          defaultValue={known ?? (other === undefined ? only?.id : '')}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-message`}
          onChange={() => form.forget('country_code')}
        >
          <option value="" disabled>
            Choose a country
          </option>
          {countries.map(({ id: code, name, calling_code }) => (
            <option key={code} value={code}>
              {name} (+{calling_code})
            </option>
          ))}
        </select>
      </div>
      <p className={error === undefined ? 'message' : 'message wrong'} id={`${id}-message`} aria-live="polite">
        {error}
      </p>
    </div>
  )
}

/** Sends a code to a phone, and turns SMS codes on with it. */
export function AddPhone({ countries, password, onDone, onBack, onWrongPassword }: Props) {
  const [typed, setTyped] = useState<PhoneNumber>()
  const [number, setNumber] = useStep('phone/code', [typed, setTyped])
  const sendCode = (to: PhoneNumber) =>
    unwrap(api.PUT('/me/2fa', { body: { ...to, current_password: password } })).catch((error: ApiError) => {
      const [wrong] = error.fields?.current_password ?? []
      if (wrong !== undefined) onWrongPassword(wrong)
      throw error
    })
  const foot = (
    <button type="button" className="link" onClick={onBack}>
      Choose another way
    </button>
  )
  if (number === undefined) {
    const send = async (to: PhoneNumber) => {
      await sendCode(to)
      setNumber(to)
    }
    return <AskNumber countries={countries} known={typed} send={send} foot={foot} />
  }
  return <AskCode resend={() => sendCode(number)} onDone={onDone} foot={foot} />
}

function AskNumber({
  countries,
  known,
  send,
  foot,
}: Pick<Props, 'countries'> & {
  known: PhoneNumber | undefined
  send: (to: PhoneNumber) => Promise<void>
  foot: ReactNode
}) {
  const form = useForm({
    fields: ['country_code', 'phone_number'],
    check: ({ country_code, phone_number }) => ({
      country_code: country_code ? '' : 'Choose the country.',
      phone_number: phone_number?.trim() ? '' : 'Enter your phone number.',
    }),
    send: ({ country_code, phone_number = '' }) =>
      send({ country_code: Number(country_code), phone_number: phone_number.replaceAll(/[\s().-]/g, '') }),
  })
  return (
    <Frame
      title="Get codes by SMS"
      lead={<p>We send a code to your phone now, and at each sign-in. An app or a passkey is stronger.</p>}
      foot={foot}
    >
      <Failure form={form} />
      <form {...form.props}>
        <CountryField form={form} countries={countries} known={known?.country_code} />
        <Field
          form={form}
          name="phone_number"
          label="Phone number"
          hint="Without the country’s prefix"
          type="tel"
          autoComplete="tel-national"
          defaultValue={known?.phone_number}
          autoFocus
        />
        <Submit form={form}>Send a code</Submit>
      </form>
    </Frame>
  )
}

function AskCode({
  resend,
  onDone,
  foot,
}: Pick<Props, 'onDone'> & { resend: () => Promise<unknown>; foot: ReactNode }) {
  const form = useForm({
    fields: ['token'],
    check: ({ token = '' }) => ({ token: digitsIn(token) === '' ? 'Enter the code.' : '' }),
    send: async ({ token = '' }) => {
      const request = api.POST('/me/2fa/verify', { body: { token: digitsIn(token) } })
      onDone((await unwrap(request).catch(atToken)).recovery_codes)
    },
  })
  return (
    <Frame
      title="Enter the code"
      lead={<p>We sent a code of 6 digits to your phone by SMS. It is valid for five minutes.</p>}
      foot={foot}
    >
      <Failure form={form} />
      <form {...form.props}>
        <CodeField form={form} />
        <Submit form={form}>Continue</Submit>
      </form>
      <AgainButton label="Send a new code" send={resend} />
    </Frame>
  )
}
