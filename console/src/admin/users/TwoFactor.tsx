import { ConfirmDialog, Form, useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { type HttpError, required, SaveButton, TextInput, useNotify } from 'react-admin'
import { digitsIn } from '../../api/challenge.ts'
import { isCalledOff } from '../called-off.ts'
import { Section } from '../components/Section.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { call } from '../data-provider.ts'
import type { User } from '../session.ts'
import { PasswordInDialog, useFactors } from './Factors.tsx'
import { CountryInput, flagOf, useCountries } from './inputs.tsx'
import { CurrentPassword, useMeta } from './PasswordInputs.tsx'
import { lostCodes, RecoveryCodes } from './RecoveryCodes.tsx'
import { type TabProps, useChanged } from './tab.ts'

type Values = Record<string, unknown>

interface Own {
  readonly user: User
  /** Of the API: `/me`, or `/users/{id}`. */
  readonly path: string
}

/** Sends a form; messages that belong to a field go to it, others to `other` or into a notification. */
function useSend(user: User, other?: string) {
  const notify = useNotify()
  const changed = useChanged(user)
  return async (said: string, send: () => Promise<unknown>) => {
    try {
      await send()
    } catch (error) {
      const { body, message } = error as HttpError
      if (body?.errors !== undefined) return body.errors as Record<string, string>
      if (isCalledOff(error)) return {}
      if (other !== undefined) return { [other]: message }
      notify(message, { type: 'error' })
      return undefined
    }
    notify(said, { type: 'success' })
    await changed()
    return undefined
  }
}

function Enable({ user, path }: Own) {
  const send = useSend(user, 'phone_number')
  const enable = ({ country_code, phone_number, current_password }: Values) =>
    send('A code was sent by SMS.', () =>
      call('PUT', `${path}/2fa`, {
        body: { country_code, phone_number: String(phone_number).replaceAll(/[\s().-]/g, ''), current_password },
      }),
    )
  return (
    <Form record={{}} defaultValues={{ country_code: user.country_id }} onSubmit={enable}>
      <Box sx={{ maxWidth: 420, '& .MuiAutocomplete-root, & .MuiFormControl-root': { width: '100%' } }}>
        <CountryInput source="country_code" label="Country of the phone" helperText={false} isRequired />
        <TextInput
          source="phone_number"
          label="Phone number"
          type="tel"
          helperText="Without the country’s prefix"
          autoComplete={path === '/me' ? 'tel-national' : 'off'}
          validate={required('A phone number is needed.')}
        />
        {path === '/me' ? <CurrentPassword /> : null}
        <Box sx={{ mt: 1.5 }}>
          <SaveButton label="Send a code" icon={null} alwaysEnable />
        </Box>
      </Box>
    </Form>
  )
}

type ShowCodes = (codes: readonly string[] | undefined) => void

function Verify({ user, path, onCancel, onCodes }: Own & { onCancel: () => void; onCodes: ShowCodes }) {
  const send = useSend(user, 'token')
  const resend = useSend(user)
  const verify = ({ token }: Values) =>
    send('Two-factor authentication is on.', async () => {
      const body = { token: digitsIn(String(token ?? '')) }
      onCodes((await call<{ recovery_codes?: string[] }>('POST', `${path}/2fa/verify`, { body })).recovery_codes)
    })
  const [again, isBusy] = useOnce(() =>
    resend('A new code was sent by SMS.', () =>
      call('PUT', `${path}/2fa`, {
        body: { country_code: user.two_factor_country_code, phone_number: user.two_factor_phone },
      }),
    ),
  )
  return (
    <Form record={{}} onSubmit={verify}>
      <Box sx={{ maxWidth: 420 }}>
        <TextInput
          source="token"
          label="Code from the SMS"
          helperText="Six digits; it works for five minutes"
          validate={required('The code is needed.')}
          autoComplete="one-time-code"
          slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 12 } }}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
          <SaveButton label="Verify" icon={null} />
          {path === '/me' ? null : (
            <Button variant="outlined" onClick={again} disabled={isBusy}>
              Send a new code
            </Button>
          )}
          <Button variant="outlined" onClick={onCancel}>
            Take the number back
          </Button>
        </Box>
      </Box>
    </Form>
  )
}

const states = {
  off: { label: 'Off', color: 'default' },
  pending: { label: 'Not verified yet', color: 'warning' },
  on: { label: 'On', color: 'success' },
} as const

/** A second step of signing in, by SMS: off, waiting for its code, or on. */
export function TwoFactor({ user, mayChange, path = `/users/${user.id}` }: TabProps) {
  const [isAsked, setAsked] = useState(false)
  const [password, setPassword] = useState('')
  const isOwn = path === '/me'
  const countries = useCountries()
  const isOffered = useMeta()?.features.two_factor ?? true
  const notify = useNotify()
  const changed = useChanged(user)
  const { two_factor_options: options, two_factor_phone: phone, two_factor_country_code: code } = user
  const [codes, setCodes] = useState<readonly string[]>()
  const reveal = useReveal(setCodes)
  const onCodes: ShowCodes = (given) => {
    if (given !== undefined) reveal(given, lostCodes)
  }
  const { data: factors } = useFactors(user, path)
  const isVerified = factors?.data.find(({ type }) => type === 'sms')?.verified ?? options?.channel === 'sms'
  const state = phone === null ? 'off' : isVerified && options?.enabled ? 'on' : 'pending'
  const country = countries.find(({ id }) => id === code)
  const number = `${country === undefined ? `+${code}` : `${flagOf(country)} +${country.calling_code ?? ''}`} ${phone}`

  const disable = async () => {
    await call('DELETE', `${path}/2fa`, isOwn ? { body: { current_password: password } } : {})
    notify('Two-factor authentication is off.', { type: 'success' })
    await changed()
  }
  return (
    <Section
      title="Codes by SMS"
      description="A code by SMS as a second step of signing in; an app or a passkey is stronger."
      action={<Chip {...states[state]} variant="outlined" />}
    >
      {state === 'off' ? null : (
        <Typography sx={{ mb: 1.5 }}>
          Phone: <strong>{number}</strong>
        </Typography>
      )}
      {!mayChange ? null : state === 'on' ? (
        <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
          Turn off
        </Button>
      ) : state === 'pending' ? (
        <Verify user={user} path={path} onCancel={() => setAsked(true)} onCodes={onCodes} />
      ) : isOffered ? (
        <Enable user={user} path={path} />
      ) : (
        <Alert severity="info">Two-factor authentication is switched off in the settings.</Alert>
      )}
      {codes === undefined ? null : <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      {isAsked ? (
        <ConfirmDialog
          title={state === 'on' ? 'Turn two-factor authentication off?' : 'Take the number back?'}
          action={state === 'on' ? 'Turn off' : 'Take it back'}
          isDangerous
          onConfirm={disable}
          onClose={() => {
            setAsked(false)
            setPassword('')
          }}
          hasField={isOwn}
        >
          {state === 'on'
            ? `Without another second factor, the password alone will be enough to sign in. ${isOwn ? 'You are' : 'The user is'} told by mail.`
            : 'The code that was sent no longer works.'}
          {isOwn ? <PasswordInDialog value={password} onChange={setPassword} /> : null}
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}
