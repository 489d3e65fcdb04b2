import { createRoot } from 'react-dom/client'
import 'virtual:tokens.css'
import '../design/starting.css'
import './public.css'
import { home, leadingBack } from '../api/address.ts'
import { api, unwrap } from '../api/client.ts'
import { AcceptInvitation } from './AcceptInvitation.tsx'
import { AddFactor } from './AddFactor.tsx'
import { CheckMail } from './CheckMail.tsx'
import { ForgotPassword } from './ForgotPassword.tsx'
import type { Meta, User } from './meta.ts'
import { NotFound } from './NotFound.tsx'
import { Frame } from './parts.tsx'
import { Register } from './Register.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { isReturning, useHanded, usePage } from './router.ts'
import { SecureAccount } from './SecureAccount.tsx'
import { SignedIn } from './SignedIn.tsx'
import { SignIn } from './SignIn.tsx'
import { VerifyEmail } from './VerifyEmail.tsx'

const pages: Record<string, (props: { meta: Meta }) => React.ReactNode> = {
  login: SignIn,
  register: Register,
  'check-mail': CheckMail,
  'verify-email': VerifyEmail,
  'forgot-password': ForgotPassword,
  'reset-password': ResetPassword,
  'add-factor': AddFactor,
  'secure-account': SecureAccount,
  'accept-invitation': AcceptInvitation,
}

/** Pages that are of no use to a signed-in user. */
const forStrangers = new Set(['login', 'register'])

function App({ meta, user }: { meta: Meta; user: User | undefined }) {
  const name = usePage()
  const Page = pages[name] ?? NotFound
  const { token } = useHanded() // a new link in the same tab starts over
  // A page that was loaded again after the factor was added.
  const isAdded = name === 'add-factor' && user?.two_factor_options?.enabled === true
  return user !== undefined && (isAdded || forStrangers.has(name)) ? (
    <SignedIn user={user} />
  ) : (
    <Page key={`${name} ${token}`} meta={meta} />
  )
}

/** The cookie of who was here before may be over: then nobody is. */
function findUser(): Promise<User | undefined> {
  if (!isReturning) return Promise.resolve(undefined)
  return unwrap(api.GET('/me')).then(
    ({ data }) => data,
    () => undefined,
  )
}

/** In place of the console, which leads back to where one wanted to go. */
if (location.pathname === home) history.replaceState(null, '', leadingBack('login'))

/** Nobody is signed in: then there is no account to add a factor to. */
function leaveAddFactor(): void {
  if (location.pathname === `${home}add-factor`) history.replaceState(null, '', `${home}login${location.search}`)
}

/** The colours that were chosen in the console; else the system's. */
function applyTheme(): void {
  try {
    const theme = localStorage.getItem('RaStoregatehouse.theme')?.replaceAll('"', '')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // The browser lets no page keep anything: the system's it is.
  }
}
applyTheme()

const root = createRoot(document.getElementById('root') as HTMLElement)

const retryMs = 5_000

const start = (): Promise<void> =>
  Promise.all([unwrap(api.GET('/meta')), findUser()]).then(
    ([{ data: meta }, user]) => {
      if (user === undefined) leaveAddFactor()
      root.render(<App meta={meta} user={user} />)
    },
    (error: Error) => {
      setTimeout(start, retryMs)
      root.render(
        <Frame title="Please try again" lead={<p>{error.message}</p>}>
          <button type="button" className="primary" onClick={() => location.reload()}>
            Try again
          </button>
        </Frame>,
      )
    },
  )
start()
