import type { Tx } from '../core/context.ts'
import { adminRoleId } from '../features/roles/roles.table.ts'
import type { MailName, MailValues } from './mails.ts'
import { nameOf } from './name-of.ts'
import { sendMail } from './send-mail.ts'

/** Mails every active administrator; `dataOf` gets the name by which the mail addresses them. */
export async function mailAdministrators<N extends MailName>(
  tx: Tx,
  template: N,
  dataOf: (name: string) => MailValues<N>,
): Promise<void> {
  const administrators = await tx.db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'username', 'status', 'unconfirmed_since'])
    .where('role_id', '=', adminRoleId)
    .where('status', '=', 'Active')
    .orderBy('id')
    .execute()
  for (const user of administrators) {
    await sendMail(tx, { template, to: user.email, userId: user.id, data: dataOf(nameOf(user)) })
  }
}
