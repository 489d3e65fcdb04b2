import Check from '@mui/icons-material/Check'
import Copy from '@mui/icons-material/ContentCopyOutlined'
import Dot from '@mui/icons-material/FiberManualRecord'
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined'
import Visibility from '@mui/icons-material/VisibilityOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { TextInput, useNotify } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { api, unwrap } from '../../api/client.ts'
import { asTyped } from '../../design/as-typed.ts'
import { checkPassword, checkRepetition, generatePassword, passwordRules } from './password.ts'

/** Which features this installation has, and how long a password must be. */
export const useMeta = () =>
  useQuery({ queryKey: ['meta'], queryFn: async () => (await unwrap(api.GET('/meta'))).data, staleTime: 60_000 }).data

/** What a field for the current password says of accounts without one, which prove themselves by their session. */
export function usePasswordHint(): string | undefined {
  return useMeta()?.features.passwordless === true ? 'Leave it empty if your account has none.' : undefined
}

/**
 * Asked for where somebody changes their own account: a session left open somewhere must not do. The API knows whether the
 * account has a password, and so says itself that it is missing.
 */
export function CurrentPassword() {
  const hint = usePasswordHint()
  return (
    <TextInput
      source="current_password"
      label="Current password"
      type="password"
      autoComplete="current-password"
      helperText={hint ?? false}
      fullWidth
      isRequired={hint === undefined}
    />
  )
}

function Rules({
  id,
  password,
  names,
}: {
  id: string
  password: string
  names: readonly (string | null | undefined)[]
}) {
  const minLength = useMeta()?.password_min_length ?? 8
  return (
    <Box component="ul" id={id} aria-label="What a password needs" sx={{ listStyle: 'none', m: 0, mb: 0.5, p: 0 }}>
      {passwordRules(password, minLength, names).map(({ text, isKept }) => (
        <Box
          component="li"
          key={text}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 0.75,
            fontSize: '0.8125rem',
            minHeight: 22,
            color: isKept ? 'success.main' : 'text.secondary',
            '& svg': { fontSize: isKept ? 16 : 6, width: 16 },
          }}
        >
          {isKept ? <Check aria-hidden /> : <Dot aria-hidden />}
          {text}
          {isKept === null ? null : (
            <Box
              component="span"
              sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' }}
            >
              {isKept ? ': yes' : ': not yet'}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  )
}

/** Without the Clipboard API (a page over plain HTTP) the selection is copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A new password and its repetition; or a generated one, which is shown to be copied. */
export function PasswordInputs({
  names,
  label = 'Password',
}: {
  names: readonly (string | null | undefined)[]
  label?: string
}) {
  const { setValue, clearErrors } = useFormContext()
  const password: string = useWatch({ name: 'password' }) ?? ''
  const [isShown, setShown] = useState(false)
  const notify = useNotify()
  const rules = useId()
  const minLength = useMeta()?.password_min_length ?? 8
  const validate = useMemo(() => checkPassword(minLength), [minLength])

  const generate = () => {
    const made = generatePassword()
    for (const field of ['password', 'password_confirmation']) {
      setValue(field, made, { shouldDirty: true, shouldTouch: true })
      clearErrors(field)
    }
    setShown(true)
  }
  const copy = () =>
    copyText(password).then(
      () => notify('The password is in the clipboard.', { type: 'success' }),
      () => notify('It could not be copied. Select it and copy it by hand.', { type: 'warning' }),
    )

  const shared = {
    type: isShown ? 'text' : 'password',
    autoComplete: 'new-password',
    helperText: false,
    fullWidth: true,
  } as const
  const reveal = (
    <InputAdornment position="end">
      <IconButton
        size="small"
        edge="end"
        onClick={() => setShown(!isShown)}
        aria-label={isShown ? 'Hide the password' : 'Show the password'}
      >
        {isShown ? <VisibilityOff fontSize="small" /> : <Visibility fontSize="small" />}
      </IconButton>
    </InputAdornment>
  )
  return (
    <>
      <TextInput
        {...shared}
        source="password"
        label={label}
        isRequired
        validate={validate}
        format={(value?: string | null) => value ?? ''}
        parse={(value: string) => value}
        slotProps={{ input: { endAdornment: reveal }, htmlInput: { ...asTyped, 'aria-describedby': rules } }}
      />
      <Rules id={rules} password={password} names={names} />
      <TextInput
        {...shared}
        source="password_confirmation"
        slotProps={{ htmlInput: asTyped }}
        label="Repeat the password"
        isRequired
        validate={checkRepetition}
      />
      <Box sx={{ display: 'flex', gap: 1, mt: 0.5 }}>
        <Button variant="outlined" onClick={generate}>
          Generate a password
        </Button>
        {isShown && password !== '' ? (
          <Button variant="outlined" startIcon={<Copy fontSize="small" />} onClick={copy}>
            Copy
          </Button>
        ) : null}
      </Box>
    </>
  )
}
