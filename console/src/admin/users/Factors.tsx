import type { components } from '@gatehouse/client'
import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import AppIcon from '@mui/icons-material/AppShortcutOutlined'
import KeyIcon from '@mui/icons-material/FingerprintOutlined'
import PhoneIcon from '@mui/icons-material/SmsOutlined'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNotify } from 'react-admin'
import { inText, nameOf } from '../../api/user-name.ts'
import { ListBody } from '../components/ListBody.tsx'
import { relativeTime, toDate } from '../components/RelativeTime.tsx'
import { Row } from '../components/Row.tsx'
import { Section } from '../components/Section.tsx'
import { Tag } from '../components/Tag.tsx'
import { call } from '../data-provider.ts'
import { usePasswordHint } from './PasswordInputs.tsx'
import { type TabProps, useChanged } from './tab.ts'

export type Factor = components['schemas']['Factor']
type FactorList = components['schemas']['FactorList']

const icons = { sms: PhoneIcon, totp: AppIcon, passkey: KeyIcon }
const kinds = { sms: 'Codes by SMS', totp: 'Authenticator app', passkey: 'Passkey' }

/** The password, where a dialog on the user's own account asks for it. The session proves an account without one. */
export function PasswordInDialog({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const hint = usePasswordHint()
  return (
    <TextField
      type="password"
      label="Current password"
      autoComplete="current-password"
      fullWidth
      autoFocus
      required={hint === undefined}
      value={value}
      sx={{ mt: 2 }}
      helperText={hint}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export const useFactors = (user: { readonly id: number }, path: string) =>
  useQuery({
    queryKey: ['users', 'factors', user.id],
    queryFn: () => call<FactorList>('GET', `${path}/factors`) as Promise<FactorList>,
  })

function FactorRow({ factor, onRemove }: { factor: Factor; onRemove: (() => void) | undefined }) {
  const Icon = icons[factor.type as keyof typeof icons]
  const { type, name, verified, last_used_at, created_at } = factor
  const used = last_used_at === null ? undefined : toDate(last_used_at)
  const kind = kinds[type as keyof typeof kinds]
  const about = [
    `${name === kind ? 'Added' : `${kind} · added`} ${relativeTime(toDate(created_at))}${used === undefined ? '' : ` · used ${relativeTime(used)}`}`,
  ]
  const title = (
    <>
      {name} {verified ? null : <Tag>Not verified yet</Tag>}
    </>
  )
  const remove =
    onRemove === undefined ? null : (
      <Button variant="outlined" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    )
  return <Row icon={Icon} title={title} lines={about} action={remove} />
}

/** The second factors of a user. On the user's own account `adding` adds more. */
export function Factors({
  user,
  mayChange,
  path = `/users/${user.id}`,
  adding,
}: TabProps & { readonly adding?: ReactNode }) {
  const isOwn = path === '/me'
  const notify = useNotify()
  const changed = useChanged(user)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Factor>()
  const [password, setPassword] = useState('')
  const { data, isPending, error } = useFactors(user, path)
  const remove = async () => {
    const body = isOwn ? { body: { current_password: password } } : {}
    await call('DELETE', `${path}/factors/${asked?.id}`, body)
    notify('The factor was removed.', { type: 'success' })
    await queries.invalidateQueries({ queryKey: ['me', 'factors'] })
    await changed()
  }
  const left = data?.meta.recovery_codes_left ?? 0
  const isOn = data?.data.some(({ verified }) => verified) === true
  return (
    <Section
      title="Second factors"
      description={
        isOn
          ? `Asked for after the password. ${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.`
          : 'Asked for after the password, so that a stolen password is not enough. None is on.'
      }
      flush
    >
      <ListBody isPending={isPending} error={error} none={isOwn ? 'You have none yet.' : `${nameOf(user)} has none.`}>
        {(data?.data ?? []).map((factor) => (
          <FactorRow key={factor.id} factor={factor} onRemove={mayChange ? () => setAsked(factor) : undefined} />
        ))}
      </ListBody>
      {adding}
      {asked === undefined ? null : (
        <ConfirmDialog
          title={`Remove ${inText(asked.name)}?`}
          action="Remove"
          isDangerous
          onConfirm={remove}
          onClose={() => {
            setAsked(undefined)
            setPassword('')
          }}
          hasField={isOwn}
        >
          {isOwn ? 'You are' : 'The user is'} told by mail. With the last factor, the recovery codes are void, too.
          {isOwn ? <PasswordInDialog value={password} onChange={setPassword} /> : null}
        </ConfirmDialog>
      )}
    </Section>
  )
}
