import type { components } from '@gatehouse/client'
import Good from '@mui/icons-material/CheckCircleOutlined'
import Bad from '@mui/icons-material/HighlightOffOutlined'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { ListBody } from '../components/ListBody.tsx'
import { relativeTime, toDate } from '../components/RelativeTime.tsx'
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

const whenFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

function titleOf({ success, method, reason, count }: SignIn): string {
  if (success) return `Signed in ${methods[method ?? ''] ?? ''}`
  const times = count === 1 ? '' : `, ${count} times`
  return `Failed: ${reasons[reason ?? ''] ?? reason}${times}`
}

function SignInRow({ signIn }: { signIn: SignIn }) {
  const when = toDate(signIn.created_at)
  const client = [signIn.browser, signIn.platform].filter((part) => part !== null).join(' on ')
  const Icon = signIn.success ? Good : Bad
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 2, px: 2.5, py: 1.25, borderTop: '1px solid', borderColor: 'divider' }}
    >
      <Icon aria-hidden sx={{ color: signIn.success ? 'success.main' : 'error.main' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{titleOf(signIn)}</Typography>
        <Typography variant="caption" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {[client, signIn.network].filter((part) => part !== '' && part !== null).join(' · ')}
          {' · '}
          <time dateTime={when.toISOString()}>
            {relativeTime(when)}, {whenFormat.format(when)}
          </time>
        </Typography>
      </Box>
    </Box>
  )
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
