import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import { systemActor } from '../core/context.ts'
import { toTimestamp } from '../core/time.ts'
import { insertFactor } from '../features/two-factor/factors.queries.ts'
import { sumUp } from '../features/two-factor/factors.service.ts'
import { sealSecret } from '../features/two-factor/methods/totp.ts'
import { getLockedUser } from '../features/users/users.service.ts'
import type { TestApp } from './app.ts'

export const newTotpSecret = (): string => new Secret({ buffer: new Uint8Array(randomBytes(20)).buffer }).base32

/** RFC 6238 by the letter, apart from the library that the server uses. */
export function codeAt(secret: string, seconds: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)))
  const mac = createHmac('sha1', Buffer.from(Secret.fromBase32(secret).bytes))
    .update(counter)
    .digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** What the app shows now, or some steps later. */
export const totpCode = (t: TestApp, secret: string, steps = 0): string =>
  codeAt(secret, t.clock.now().getTime() / 1000 + steps * 30)

/** An authenticator app straight into the database. Returns the factor's id. */
export async function addTotp(
  t: TestApp,
  userId: number,
  { secret = newTotpSecret(), verified = 1 }: { secret?: string; verified?: number } = {},
): Promise<number> {
  return t.ctx.transaction(systemActor, async (tx) => {
    const factor = await insertFactor(tx.db, {
      user_id: userId,
      type: 'totp',
      name: '',
      verified,
      secret: sealSecret(tx, userId, secret),
      created_at: toTimestamp(tx.clock()),
    })
    await sumUp(tx, await getLockedUser(tx.db, userId))
    return factor.id
  })
}
