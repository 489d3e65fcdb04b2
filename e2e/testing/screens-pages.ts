import type { RunningServer } from './server.ts'

/** A page to be pictured. */
export interface Page {
  readonly name: string
  readonly path: string
  readonly anonymous?: boolean
}

const consolePages = [
  ...['users', 'users/create', 'users/1202', 'users/1202/security', 'users/1202/sessions', 'users/1202/activity'],
  ...['users/1203', 'users/1204', 'users/1/api-keys', 'roles', 'roles/create', 'roles/1', 'roles/3', 'permissions'],
  ...['permissions/create', 'permissions/1', 'api-keys', 'api-keys/create', 'api-keys/1', 'deliveries'],
  ...['deliveries/1/show', 'activity', 'settings', 'announcements', 'announcements/create', 'announcements/1/show'],
  ...['announcements/1', 'account', 'nothing-here', 'import-users', 'webhooks', 'webhooks/create', 'jobs', 'events'],
]
const publicPages = [
  'login',
  'register',
  'forgot-password',
  'reset-password',
  'verify-email',
  'check-mail',
  'secure-account',
]

/** Every page there is. */
export const pages: readonly Page[] = [
  { name: 'dashboard', path: '/#/' },
  {
    name: 'users-filtered',
    path: `/#/users?filter=${encodeURIComponent('{"search":"no such person","status":"Banned"}')}`,
  },
  ...consolePages.map((path) => ({ name: path.replaceAll('/', '-'), path: `/#/${path}` })),
  ...publicPages.map((path) => ({ name: `public-${path}`, path: `/${path}`, anonymous: true })),
]

type Names = readonly (readonly [first: string, last: string, username: string])[]

/** For the pictures of the docs. */
export const plainNames: Names = [
  ['Grace', 'Okafor', 'grace'],
  ['José', 'Martínez', 'jose'],
  ['Felix', 'Fuchs', 'fox'],
  ['Zoë', 'Lindqvist', 'zoe'],
]

export const awkwardNames: Names = [
  ['王秀英', '李', 'wang'],
  ['محمد', 'العزيز', 'mohammed'],
  ['🦊🌻', 'Fuchs', 'fox'],
  ['Bartholomew-Maximilian', 'Featherstonehaugh-Cholmondeley', 'bart'],
]

/** Something on every page. */
export async function seedPages({ api, admin }: RunningServer, names: Names): Promise<void> {
  await api.POST('/roles', {
    body: { name: 'Support', display_name: 'Support team', description: 'Answers questions of customers.' },
  })
  const password = 'a quiet harbour at dawn'
  for (const [first_name, last_name, username] of names) {
    const email = `${username}@example.com`
    const { data } = await api.POST('/users', {
      body: {
        first_name,
        last_name,
        username,
        email,
        password,
        password_confirmation: password,
        role_id: 3,
        country_id: 276,
      },
    })
    await api.POST('/login', { body: { username: email, password } })
    if (username !== 'fox' || data === undefined) continue
    await api.PATCH('/users/{id}', {
      params: { path: { id: data.data.id } },
      body: { status: 'Banned', reason: 'Sent spam to the whole company' },
    })
  }
  for (const title of ['Maintenance on Sunday night', 'Two-factor sign-in is here']) {
    await api.POST('/announcements', {
      body: { title, body: `# ${title}\n\nThe service **stays up**; signing in may take a little longer.` },
    })
  }
  await api.POST('/password/remind', { body: { email: admin.email } })
}
