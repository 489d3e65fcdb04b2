import { answerOf, type Challenge, toChallenge } from '../api/challenge.ts'
import { ApiError, api, unwrap } from '../api/client.ts'
import { askPasskey } from '../api/passkeys.ts'
import { onNews, tellTabs } from '../api/tabs.ts'
import { getSession, goToSignIn, loadSession } from './session.ts'
import { createStore } from './store.ts'

/** Set while somebody has to sign in again; whatever was refused waits for it. */
const waiting = createStore<PromiseWithResolvers<void> | undefined>(undefined)

/** Asks for the password over the page, once for however many answers were 401. Resolves when the session lives again. */
export function signInAgain(): Promise<void> {
  const session = waiting.get() ?? Promise.withResolvers<void>()
  waiting.set(session)
  return session.promise
}

/** Repeats a request that the API answered with 401, after signing in again. Until then, no other one is sent. */
export async function withSession<T>(work: () => Promise<T>): Promise<T> {
  await waiting.get()?.promise
  try {
    return await work()
  } catch (error) {
    if ((error as { status?: number }).status !== 401) throw error
    await signInAgain()
    return work()
  }
}

const isSignedInAsBefore = async (): Promise<boolean> => {
  const { data } = await unwrap(api.GET('/me'))
  return data.id === getSession().user.id
}

async function goOn(): Promise<void> {
  await loadSession() // the role may be another one by now
  const session = waiting.get()
  waiting.set(undefined)
  session?.resolve()
}

/** The first step. A challenge means that a second factor is needed. */
export async function enterPassword(password: string): Promise<Challenge | undefined> {
  const body = { username: getSession().user.email, password, cookie: true }
  const { challenge, methods, options } = await unwrap(api.POST('/login', { body }))
  if (challenge !== undefined) return toChallenge({ challenge, methods, options })
  await finish()
  return undefined
}

export async function enterCode({ challenge }: Challenge, text: string, isSmsSent: boolean): Promise<void> {
  await unwrap(api.POST('/login/2fa', { body: { challenge, ...answerOf(text, isSmsSent) } }))
  await finish()
}

/** Sends a code by SMS; it replaces the one before. */
export const sendSms = ({ challenge }: Challenge): Promise<unknown> =>
  unwrap(api.POST('/login/2fa/sms', { body: { challenge } }))

/** A passkey as the second step. */
export async function confirmWithPasskey({ challenge, options = {} }: Challenge): Promise<void> {
  const credential = await askPasskey(options)
  await unwrap(api.POST('/login/2fa', { body: { challenge, credential } }))
  await finish()
}

/** A passkey alone. Whose it is shows afterwards: as another user we start over. */
export async function enterPasskey(): Promise<void> {
  const { challenge, options } = await unwrap(api.POST('/login/passkey/options'))
  const credential = await askPasskey(options)
  await unwrap(api.POST('/login/passkey', { body: { challenge, credential, cookie: true } }))
  if (await isSignedInAsBefore()) await finish()
  else location.reload()
}

async function finish(): Promise<void> {
  tellTabs('signed-in')
  await goOn()
}

/** Another tab signed in: we go on as the same user, and start over as another one. */
async function hearSignIn(): Promise<void> {
  try {
    if (!(await isSignedInAsBefore())) {
      signInAgain() // somebody may stay on this page, for what they typed: nothing is sent as the other user
      location.reload()
    } else if (waiting.get() !== undefined) await goOn()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    signInAgain() // nobody is signed in, or it is not known who
  }
}

/** Another tab signed out or in: the session is the same, so it has ended or begun here, too. */
export const followTabs = (): void =>
  onNews((news) => {
    if (news === 'signed-out') goToSignIn()
    else hearSignIn()
  })

/** Whether the password has to be asked for. */
export const useIsSessionOver = (): boolean => waiting.use() !== undefined
