/** The names of the ways to answer a challenge. */
export type MethodName = 'totp' | 'sms' | 'passkey' | 'recovery_code'

/** What the first step of a sign-in hands to the second. */
export interface SignInState {
  readonly cookie: boolean
  readonly device_name: string | null
}
