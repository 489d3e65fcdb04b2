import { systemActor } from '../core/context.ts'
import { disableTwoFactor } from '../features/two-factor/two-factor.service.ts'
import { findUserByName } from './find-user.ts'
import { withContext } from './open.ts'

/** Lets a user in who has lost their phone: audited, and the user is told by mail. */
export async function disableTwoFactorCommand(name: string): Promise<void> {
  await withContext(async (ctx) => {
    const { id } = await findUserByName(ctx.db, name)
    await disableTwoFactor(ctx, systemActor, id)
    process.stdout.write(`Two-factor authentication of user ${id} is off.\n`)
  })
}
