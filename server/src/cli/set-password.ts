import { systemActor } from '../core/context.ts'
import { compileDraft } from '../core/draft.ts'
import { UpdateUser } from '../features/users/users.schemas.ts'
import { updateUser } from '../features/users/users.service.ts'
import { findUserByName } from './find-user.ts'
import { readPassword } from './new-password.ts'
import { withExisting } from './open.ts'
import { printLine } from './output.ts'

const readChanges = compileDraft(UpdateUser)

/** Sets a user's password by the usual rules: their sessions end, and they are notified by mail. */
export async function setPasswordCommand(name: string, options: { passwordStdin?: true }): Promise<void> {
  const { password, shown } = await readPassword(options)
  await withExisting(async (ctx) => {
    const { id } = await findUserByName(ctx.db, name)
    await updateUser(ctx, systemActor, id, readChanges({ password, password_confirmation: password }))
    printLine(`The password of user ${id} is set.${shown}`)
  })
}
