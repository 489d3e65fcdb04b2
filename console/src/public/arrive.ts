import { safeNext } from '../api/address.ts'
import { type Challenge, toChallenge } from '../api/challenge.ts'
import { api, unwrap } from '../api/client.ts'
import { tellTabs } from '../api/tabs.ts'
import type { Values } from './form.tsx'
import { navigate } from './router.ts'
import { forgetChallenge } from './use-challenge.ts'

/** Opens the console, or the page of it that was asked for. */
export const enter = (): Promise<never> => {
  tellTabs('signed-in')
  forgetChallenge()
  location.assign(safeNext(new URLSearchParams(location.search).get('next')))
  return new Promise(() => {}) // the button stays busy until the console is there
}

/** What a finished sign-in answers. */
export interface Arrived {
  readonly two_factor_enrolment_required?: boolean | undefined
}

/** The password that was just typed, for the page that adds a second factor; it is kept nowhere else. */
let typed: string | undefined
export const knownPassword = (): string | undefined => typed

/** What was last typed as the name, so that the pages beside the sign-in page begin with it. */
let name = ''
export const knownName = (): string => name
export const rememberName = (typedName: string): void => {
  name = typedName
}

/** Opens the console; or first the page that adds the second factor which the role requires. */
export function arrive({ two_factor_enrolment_required }: Arrived): Promise<never> {
  if (two_factor_enrolment_required !== true) return enter()
  forgetChallenge()
  navigate('add-factor')
  return new Promise(() => {})
}

/** Signs in; a challenge means that a second factor is needed. */
export async function signIn({ username = '', password = '' }: Values): Promise<Challenge> {
  const answer = await unwrap(api.POST('/login', { body: { username, password, cookie: true } }))
  typed = password
  const { challenge, methods, options } = answer
  return challenge === undefined ? arrive(answer) : toChallenge({ challenge, methods, options })
}
