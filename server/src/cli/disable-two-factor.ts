import { systemActor } from '../core/context.ts'
import { disableTwoFactor } from '../features/two-factor/two-factor.service.ts'
import { findUserByName } from './find-user.ts'
import { withContext } from './open.ts'

/** Lets in a user who has lost their phone. It is audited, and the user is notified by mail. */
export async function disableTwoFactorCommand(name: string): Promise<void> {
  await withContext(async (ctx) => {
    const { id } = await findUserByName(ctx.db, name)
    await disableTwoFactor(ctx, systemActor, id)
    process.stdout.write(`Two-factor authentication of user ${id} is off.\n`)
  })
}
