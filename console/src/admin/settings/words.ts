/** The settings as administrators speak of them, with what each does to people; those of plugins speak for themselves. */

interface Words {
  readonly label: string
  readonly help: string
}

export const words: Readonly<Record<string, Words>> = {
  'registration.enabled': {
    label: 'People can create their own account',
    help: 'Off: the registration page is closed, and only administrators create accounts.',
  },
  'registration.email_confirmation': {
    label: 'New accounts confirm their email address',
    help: 'Off: an account works at once, whether or not the address is theirs.',
  },
  'registration.captcha': {
    label: 'Ask for a captcha at registration',
    help: 'Keeps bots out. Configure a provider first (GATEHOUSE_CAPTCHA_URL).',
  },
  'registration.terms': {
    label: 'Ask people to accept your terms',
    help: 'On: nobody can register without accepting them.',
  },
  'registration.terms_version': {
    label: 'Version of the terms',
    help: 'Kept with each acceptance, so that you can tell who accepted what.',
  },
  'registration.terms_url': {
    label: 'Address of the terms',
    help: 'Linked from the registration page.',
  },
  'registration.default_role_id': {
    label: 'Role of people who register',
    help: 'Everybody who registers from now on may do what this role may.',
  },
  'registration.unconfirmed_days': {
    label: 'Delete unconfirmed accounts after, in days',
    help: '0: never. Accounts of people whom an administrator invited stay.',
  },
  'password_reset.enabled': {
    label: 'Password reset by email',
    help: 'Off: people who forget a password need an administrator.',
  },
  'password.min_length': {
    label: 'Shortest password, in characters',
    help: 'Applies to new passwords. Existing ones keep working.',
  },
  'password.required': {
    label: 'Every account has a password',
    help: 'Off: people can sign up with a passkey alone, and administrators can create users without a password.',
  },
  'two_factor.enabled': {
    label: 'People can add second factors',
    help: 'Off: nobody can add one, except where their role requires it. People who have one keep it.',
  },
  'session.idle_minutes': {
    label: 'End an unused session after, in minutes',
    help: 'Shorter is safer on shared computers; people sign in more often.',
  },
  'session.absolute_hours': {
    label: 'End every session after, in hours',
    help: 'Counted from signing in, used or not.',
  },
  'session.max_per_user': {
    label: 'Sessions that one user can have',
    help: 'Signing in again ends the least recently used session.',
  },
  'activity.retention_days': {
    label: 'Keep the activity for, in days',
    help: 'Older entries are deleted. After 30 days IP addresses are shortened to their network.',
  },
  'sign_ins.retention_days': {
    label: 'Keep sign-ins for, in days',
    help: 'Older sign-ins, good and failed, are deleted from the activity.',
  },
}

/** Under which heading a setting stands, by what is before its dot, in the order of the page. */
const headings: readonly (readonly [heading: string, prefixes: readonly string[]])[] = [
  ['Registration', ['registration']],
  ['Passwords', ['password_reset', 'password']],
  ['Signing in', ['two_factor', 'session']],
  ['Records', ['activity', 'sign_ins']],
]

/** The heading, and its place among the others; a plugin's settings come last, under the plugin's own name. */
export function headingOf(prefix: string): { heading: string | undefined; place: number } {
  const place = headings.findIndex(([, prefixes]) => prefixes.includes(prefix))
  return { heading: headings[place]?.[0], place: place < 0 ? headings.length : place }
}
