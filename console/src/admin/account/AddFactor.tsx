import type { components } from '@gatehouse/client'
import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { digitsIn } from '../../api/challenge.ts'
import { isPhone } from '../../api/device.ts'
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts'
import { CopyField } from '../components/CopyField.tsx'
import { useReveal } from '../components/use-reveal.ts'
import { call } from '../data-provider.ts'
import type { User } from '../session.ts'
import { PasswordInDialog, useFactors } from '../users/Factors.tsx'
import { lostCodes, RecoveryCodes } from '../users/RecoveryCodes.tsx'
import { useChanged } from '../users/tab.ts'

type App = components['schemas']['NewTotp']
type TurnedOn = components['schemas']['FactorTurnedOn']
type NewCodes = components['schemas']['RecoveryCodes']

/** Scan, then type what the app shows. */
function ScanDialog({ app, onOn, onClose }: { app: App; onOn: (on: TurnedOn) => Promise<void>; onClose: () => void }) {
  const [token, setToken] = useState('')
  const verify = async () => {
    const body = { token: digitsIn(token) }
    await onOn(await call<TurnedOn>('POST', `/me/factors/totp/${app.id}/verify`, { body }))
  }
  return (
    <ConfirmDialog title="Scan the code" action="Turn on" onConfirm={verify} onClose={onClose} hasField endsInSecret>
      Scan this picture with your authenticator app, and enter the six digits that it shows.
      <Box
        component="img"
        src={app.qr}
        alt="QR code for your authenticator app"
        sx={{ display: 'block', width: 200, height: 200, mx: 'auto', my: 2, borderRadius: 1 }}
      />
      {isPhone ? (
        <Button component="a" href={app.uri} variant="outlined" fullWidth sx={{ mb: 1.5 }}>
          Open the app on this device
        </Button>
      ) : null}
      <CopyField value={app.secret} label="Key" />
      <TextField
        label="Code"
        autoComplete="one-time-code"
        fullWidth
        autoFocus={!isPhone} // there one goes to the app first: the keyboard would cover the way
        required
        sx={{ mt: 2 }}
        value={token}
        onChange={({ target }) => setToken(target.value)}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 10 } }}
      />
    </ConfirmDialog>
  )
}

type Wanted = 'app' | 'passkey' | 'codes'

const words: Record<Wanted, { title: string; text: string; action: string }> = {
  app: {
    title: 'Add an authenticator app',
    text: 'An app on your phone shows codes of six digits, without a network.',
    action: 'Continue',
  },
  passkey: {
    title: 'Add a passkey',
    text: 'Your fingerprint, face or PIN on a device. It signs you in alone, without the password.',
    action: 'Continue',
  },
  codes: {
    title: 'Make new recovery codes?',
    text: 'The codes that you have now no longer work.',
    action: 'Make new codes',
  },
}

/** Adds a factor to the user's own account, or new recovery codes. */
export function AddFactor({ user }: { user: User }) {
  const notify = useNotify()
  const changed = useChanged(user)
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<Wanted>()
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [app, setApp] = useState<App>()
  const [codes, setCodes] = useState<readonly string[]>()
  const reveal = useReveal(setCodes)
  const { data } = useFactors(user, '/me')
  const isOn = data?.data.some(({ verified }) => verified) === true

  const turnedOn = async ({ recovery_codes }: TurnedOn) => {
    if (recovery_codes === undefined) notify('The factor is on.', { type: 'success' })
    else reveal(recovery_codes, lostCodes)
    await queries.invalidateQueries({ queryKey: ['me', 'factors'] })
    await changed()
  }
  const begin = async () => {
    const proof = { current_password: password }
    const named = name.trim() === '' ? {} : { name: name.trim() }
    if (wanted === 'app') {
      const body = { ...proof, ...named }
      setApp((await call<{ data: App }>('POST', '/me/factors/totp', { body })).data)
    } else if (wanted === 'passkey') {
      const options = await call('POST', '/me/factors/passkeys/options', { body: proof })
      const credential = await makePasskey(options as Record<string, unknown>)
      const body = { credential, ...named }
      await turnedOn(await call<TurnedOn>('POST', '/me/factors/passkeys', { body }))
    } else {
      const { recovery_codes } = await call<NewCodes>('POST', '/me/recovery-codes', { body: proof })
      reveal(recovery_codes, lostCodes)
      await changed()
    }
  }
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          px: 2.5,
          py: 2,
          borderTop: '1px solid',
          borderColor: 'divider',
        }}
      >
        {hasPasskeys() ? (
          <Button variant="outlined" onClick={() => setWanted('passkey')}>
            Add a passkey
          </Button>
        ) : null}
        <Button variant="outlined" onClick={() => setWanted('app')}>
          Add an authenticator app
        </Button>
        {isOn ? (
          <Button variant="outlined" onClick={() => setWanted('codes')}>
            New recovery codes
          </Button>
        ) : null}
      </Box>
      {wanted === undefined ? null : (
        <ConfirmDialog
          title={words[wanted].title}
          action={words[wanted].action}
          onConfirm={begin}
          onClose={() => {
            setWanted(undefined)
            setPassword('')
            setName('')
          }}
          hasField
          endsInSecret={wanted !== 'app'}
        >
          {words[wanted].text}
          <PasswordInDialog value={password} onChange={setPassword} />
          {wanted === 'codes' ? null : (
            <TextField
              label="Name"
              helperText="What you call it, if you have several. Optional."
              fullWidth
              sx={{ mt: 2 }}
              value={name}
              onChange={({ target }) => setName(target.value)}
              slotProps={{ htmlInput: { maxLength: 100 } }}
            />
          )}
        </ConfirmDialog>
      )}
      {app === undefined ? null : <ScanDialog app={app} onOn={turnedOn} onClose={() => setApp(undefined)} />}
      {codes === undefined ? null : <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  )
}
