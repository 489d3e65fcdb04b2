import type { TestApp } from './app.ts'
import { codeIn, messageTo } from './messages.ts'

/** A phone as it is sent, and where its SMS go. */
export interface TestPhone {
  readonly body: { country_code: number; phone_number: string }
  readonly e164: string
}

let phones = 0

/** A German mobile number that no other test has. */
export function newPhone(): TestPhone {
  const phone_number = `1701${String(++phones).padStart(6, '0')}`
  return { body: { country_code: 276, phone_number }, e164: `+49${phone_number}` }
}

/** Asks for a code, and reads the SMS. */
export async function requestCode(t: TestApp, userId: number, phone: TestPhone = newPhone()): Promise<string> {
  const { status, text } = await t.call(`PUT /users/${userId}/2fa`, { body: phone.body })
  if (status !== 200) throw new Error(text)
  return codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
}

/** Turns two-factor authentication on for a user. */
export async function turnOnTwoFactor(t: TestApp, userId: number, phone: TestPhone = newPhone()): Promise<TestPhone> {
  const token = await requestCode(t, userId, phone)
  const { status, text } = await t.call(`POST /users/${userId}/2fa/verify`, { body: { token } })
  if (status !== 200) throw new Error(text)
  return phone
}

/** Codes that are not the right one. */
export const wrongCodes = (right: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String((Number(right) + 1 + index) % 1_000_000).padStart(6, '0'))
