/** What happened, in words between the names of actor and subject: “Ada” + “banned” + “Bob”. */
const words: Readonly<Record<string, string>> = {
  'user.created': 'created',
  'user.registered': 'registered',
  'user.confirmed': 'confirmed their email address',
  'user.invited': 'invited',
  'user.updated': 'changed',
  'user.email_was_another': 'questioned the email address of',
  'user.email_collides': 'found a duplicate email address of',
  'user.deleted': 'deleted',
  'user.banned': 'banned',
  'user.activated': 'activated',
  'user.unconfirmed': 'marked as unconfirmed',
  'user.role_changed': 'changed the role of',
  'user.password_changed': 'changed the password of',
  'user.password_reset_requested': 'asked for a password reset for',
  'user.signed_in': 'signed in',
  'user.sign_in_failed': 'Failed sign-ins of',
  'user.sign_ins_limited': 'Limited sign-ins of',
  'user.sessions_ended': 'ended the sessions of',
  'user.avatar_changed': 'changed the picture of',
  'user.avatar_removed': 'removed the picture of',
  'user.two_factor_requested': 'asked for two-factor sign-in of',
  'user.two_factor_enabled': 'turned two-factor sign-in on for',
  'user.two_factor_disabled': 'turned two-factor sign-in off for',
  'user.factor_added': 'added a second factor of',
  'user.factor_removed': 'removed a second factor of',
  'user.recovery_codes_renewed': 'renewed the recovery codes of',
  'user.reauthenticated': 'proved again who they are',
  'session.ended': 'ended a session of',
  'users.imported': 'imported users',
  'users.exported': 'exported users',
  'users.bulk_changed': 'changed many users',
  'settings.updated': 'changed settings',
  'role.permissions_changed': 'changed the permissions of',
  'delivery.retried': 'sent again',
  'webhook.created': 'created',
  'webhook.updated': 'changed',
  'webhook.deleted': 'deleted',
  'webhook.disabled': 'switched off',
  'webhook.tested': 'tested',
  'backup.created': 'made a backup',
  'sms.cap_near': 'used nearly all SMS of the day',
}

let pluginWords: Readonly<Record<string, string>> = {}

/** The words that plugins have for their own events. */
export const setPluginWords = (added: Readonly<Record<string, string>>): void => {
  pluginWords = added
}

const wordsOf = (event: string): string | undefined => words[event] ?? pluginWords[event]

/** Events that nobody caused on purpose: their sentence begins with the event, not with a name. */
export const isWithoutActor = (event: string): boolean =>
  event === 'user.sign_in_failed' || event === 'user.sign_ins_limited'

const nouns: Readonly<Record<string, string>> = {
  api_key: 'an API key',
  role: 'a role',
  permission: 'a permission',
  delivery: 'a message',
  webhook: 'a webhook',
}

const plurals: Readonly<Record<string, string>> = {
  user: 'users',
  api_key: 'API keys',
  role: 'roles',
  permission: 'permissions',
  delivery: 'messages',
  webhook: 'webhooks',
}

/** What a plugin's events without words are about: `note.created` → “a note”. */
function pluginNounOf(event: string, subjectType: string): string | undefined {
  const [family, action = ''] = event.split('.')
  if (wordsOf(event) !== undefined || family !== subjectType || action.includes('_')) return undefined
  return `${/^[aeiou]/.test(subjectType) ? 'an' : 'a'} ${subjectType.replaceAll('_', ' ')}`
}

/** “a role”; undefined for a subject that goes by its name, or needs none. */
export const nounOf = (event: string, subjectType: string): string | undefined =>
  nouns[subjectType] ?? pluginNounOf(event, subjectType)

/** “banned 12 users”, “revoked 3 API keys”. */
export function verbOfMany(event: string, subjectType: string, count: number): string {
  const verb = verbOf(event, subjectType)
  const noun = nounOf(event, subjectType)
  const plural = plurals[subjectType] ?? (noun === undefined ? 'times' : `${noun.replace(/^an? /, '')}s`)
  const many = `${count} ${plural}`
  return noun === undefined ? `${verb} ${many}` : `${verb.slice(0, -noun.length)}${many}`
}

/** The page that shows the subject, and the permission to see it. */
const places: Readonly<Record<string, { path: (id: number) => string; needs: string | readonly string[] }>> = {
  api_key: { path: (id) => `/api-keys/${id}`, needs: 'api-keys.manage' },
  role: { path: (id) => `/roles/${id}`, needs: 'roles.manage' },
  permission: { path: (id) => `/permissions/${id}`, needs: 'permissions.manage' },
  delivery: { path: (id) => `/deliveries/${id}/show`, needs: 'deliveries.view' },
  webhook: { path: (id) => `/webhooks/${id}`, needs: 'webhooks.manage' },
}

/** Undefined for deleted subjects, and for those without a page. */
export const placeOf = (subjectType: string, event: string) =>
  /\.(deleted|revoked)$/.test(event) ? undefined : places[subjectType]

/** `role.created` → “created a role”; “shared with all (note)” where there are no words. */
export function verbOf(event: string, subjectType: string): string {
  const known = wordsOf(event)
  const noun = nounOf(event, subjectType)
  if (known !== undefined) return noun === undefined ? known : `${known} ${noun}`
  const [family = '', action = ''] = event.replaceAll('_', ' ').split('.')
  return noun === undefined ? `${action} (${family})` : `${action} ${noun}`
}

/** What somebody did to their own account: “changed the password of” + “their own account”; “signed in” says it all. */
export const ofOneself = (verb: string): string =>
  isOpen(verb) || verb === 'changed' ? `${verb} their own account` : verb

/** The words for a subject without a name: “ended a session”. */
export const closed = (verb: string): string => (isOpen(verb) ? verb.replace(/ (of|for)$/, '') : verb)

const isOpen = (verb: string): boolean => / (of|for)$/.test(verb)

const subjectWords: Readonly<Record<string, string>> = { api_key: 'API key' }

/** `user.two_factor_enabled` → “User: two-factor enabled”, for filters. */
export function eventTitle(event: string): string {
  const [subject = '', action = ''] = event.split('.')
  const title = subjectWords[subject] ?? subjectTitle(subject)
  return `${title}: ${action.replaceAll('two_factor', 'two-factor').replaceAll('_', ' ')}`
}

export function subjectTitle(type: string): string {
  const text = (subjectWords[type] ?? type).replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The core's events; `useEventNames` adds those of plugins. */
export const eventNames = [
  ...Object.keys(words),
  ...['role', 'permission'].flatMap((noun) => ['created', 'updated', 'deleted'].map((verb) => `${noun}.${verb}`)),
  ...['created', 'updated', 'rotated', 'revoked'].map((verb) => `api_key.${verb}`),
].toSorted()

export const subjectTypes = ['user', 'role', 'permission', 'api_key', 'session', 'settings', 'delivery', 'webhook']
