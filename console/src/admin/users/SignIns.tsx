import type { components } from '@gatehouse/client'
import Good from '@mui/icons-material/CheckCircleOutlined'
import Bad from '@mui/icons-material/HighlightOffOutlined'
import { useQuery } from '@tanstack/react-query'
import { ListBody } from '../components/ListBody.tsx'
import { bothTimes, toDate } from '../components/RelativeTime.tsx'
import { Row } from '../components/Row.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import type { TabProps } from './tab.ts'

type SignIn = components['schemas']['SignIn']

const methods: Readonly<Record<string, string>> = {
  password: 'with the password',
  totp: 'with an authenticator app',
  sms: 'with a code by SMS',
  passkey: 'with a passkey',
  recovery_code: 'with a recovery code',
}
const reasons: Readonly<Record<string, string>> = {
  password: 'wrong password',
  two_factor: 'wrong second factor',
  banned: 'the account was banned',
  unconfirmed: 'the address was not confirmed',
  limited: 'too many attempts',
}

function titleOf({ success, method, reason, count }: SignIn): string {
  if (success) return `Signed in ${methods[method ?? ''] ?? ''}`
  const times = count === 1 ? '' : `, ${count} times`
  return `Failed: ${reasons[reason ?? ''] ?? reason}${times}`
}

function SignInRow({ signIn }: { signIn: SignIn }) {
  const when = toDate(signIn.created_at)
  const client = [signIn.browser, signIn.platform].filter((part) => part !== null).join(' on ')
  const Icon = signIn.success ? Good : Bad
  const where = [client, signIn.network].filter((part) => part !== '' && part !== null).join(' · ')
  const line = (
    <>
      {where === '' ? '' : `${where} · `}
      <time dateTime={when.toISOString()}>{bothTimes(when)}</time>
    </>
  )
  const iconColor = signIn.success ? 'success.main' : 'error.main'
  return <Row icon={Icon} iconColor={iconColor} title={titleOf(signIn)} lines={[line]} />
}

const shown = 20

/** The latest sign-ins of a user, good and failed. */
export function SignIns({ user, path = `/users/${user.id}` }: Pick<TabProps, 'user' | 'path'>) {
  const { data, isPending, error } = useQuery({
    queryKey: ['users', 'sign-ins', user.id],
    queryFn: async () =>
      (await call<{ data: SignIn[] }>('GET', `${path}/sign-ins`, { query: { per_page: shown } })).data,
  })
  return (
    <Section title="Sign-ins" description={`The latest ${shown}, good and failed, newest first.`} flush>
      <ListBody isPending={isPending} error={error} none="Nobody has signed in yet.">
        {(data ?? []).map((signIn) => (
          <SignInRow key={signIn.id} signIn={signIn} />
        ))}
      </ListBody>
    </Section>
  )
}
