import { systemActor } from '../core/context.ts'
import { removeAllFactors, renewCodes } from '../features/two-factor/factors.service.ts'
import { twoFactorErrors } from '../features/two-factor/two-factor.errors.ts'
import { findUserByName } from './find-user.ts'
import { withExisting } from './open.ts'
import { printLine } from './output.ts'

/** Lets in a user who has lost all of their second factors. It is audited, and the user is notified by mail. */
export async function disableTwoFactorCommand(name: string): Promise<void> {
  await withExisting(async (ctx) => {
    const { id } = await findUserByName(ctx.db, name)
    const removed = await removeAllFactors(ctx, systemActor, id)
    if (removed === 0) throw twoFactorErrors.two_factor_not_enabled()
    printLine(`Two-factor authentication of user ${id} is off.`)
  })
}

/** Makes ten new recovery codes for a user and prints them once; the old ones are void. */
export async function recoveryCodesCommand(name: string): Promise<void> {
  await withExisting(async (ctx) => {
    const { id } = await findUserByName(ctx.db, name)
    const codes = await renewCodes(ctx, systemActor, id)
    printLine(codes.join('\n'))
  })
}
