import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Context, Tx } from '../../../core/context.ts'
import { serviceNameOf } from '../../../core/sender.ts'
import { deleteInPieces } from '../../../db/delete-in-pieces.ts'
import { forKeyShare } from '../../../db/dialect.ts'
import type { UserRow } from '../../accounts/users.table.ts'
import type { Spend } from '../../tokens/tokens.service.ts'
import type { FactorRow } from '../factors.table.ts'

/*
 * Authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, as every app knows them. A code is valid one step early and
 * one step late, because clocks differ, and each works once.
 */

const periodMs = 30_000
const drift = 1
const secretBytes = 20

/** A sealed secret opens for its own user only. */
const contextOf = (userId: number): string => `totp secret of user ${userId}`

export const newSecret = (): string => new Secret({ size: secretBytes }).base32

const totpOf = (secret: string, more: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...more, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodMs / 1000 })

export const sealSecret = ({ sealer }: Pick<Tx, 'sealer'>, userId: number, secret: string): string =>
  sealer.seal(secret, contextOf(userId))

export interface TotpEnrolment {
  readonly secret: string
  /** `otpauth://totp/…`, for apps on the same device. */
  readonly uri: string
  /** The same as a QR code: an SVG as a data URI. */
  readonly qr: string
}

/** What an app needs to learn the secret. */
export async function toEnrolment({ config }: Context, user: UserRow, secret: string): Promise<TotpEnrolment> {
  const uri = totpOf(secret, { issuer: serviceNameOf(config), label: user.email }).toString()
  const { toString: toQrCode } = await import('qrcode') // only here, so that the start does not wait for it
  const svg = await toQrCode(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

/** The step that a code belongs to; undefined if it belongs to none that is valid now. */
export function findStep(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: drift })
  return delta === null ? undefined : Math.floor(nowMs / periodMs) + delta
}

const bigint = (value: number) => sql<number>`cast(${value} as bigint)`

/** How to use up a code of an app, if it is right. Of parallel attempts with one code, only one succeeds, on all nodes together. */
export function toSpendTotpCode(ctx: Context, factor: FactorRow, code: string): Spend | undefined {
  const nowMs = ctx.clock().getTime()
  const step = findStep(ctx.sealer.open(factor.secret ?? '', contextOf(factor.user_id)), code, nowMs)
  if (step === undefined) return undefined
  return async (db) => {
    const expiresMs = (step + drift + 2) * periodMs
    const used = await db
      .insertInto('totp_steps')
      .columns(['factor_id', 'step', 'expires_ms'])
      // No row if the factor was removed meanwhile.
      .expression((eb) => {
        const found = eb.selectFrom('factors').where('id', '=', factor.id)
        return forKeyShare(db)(found.select(['id', bigint(step).as('step'), bigint(expiresMs).as('expires_ms')]))
      })
      .onConflict((conflict) => conflict.columns(['factor_id', 'step']).doNothing())
      .executeTakeFirst()
    return (used.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
}

/** Removes the steps whose code is not valid any more. */
export async function removeOldSteps(ctx: Context): Promise<void> {
  const now = ctx.clock().getTime()
  await deleteInPieces(ctx.unguarded, 'totp_steps', ['factor_id', 'step'], (eb) => eb('expires_ms', '<=', now))
}
