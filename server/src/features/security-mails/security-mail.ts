import type { Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { linkLivesMs, type MailName, type MailValues } from '../../mails/mails.ts'
import { type Addressee, nameOf } from '../../mails/name-of.ts'
import { type Mail, sendMail, sendMails } from '../../mails/send-mail.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { createToken, createTokens } from '../tokens/tokens.service.ts'

/** How many links to one address of an account can be valid at once, the oldest first: more mail must not take a warning back. */
const maxLinks = 50

/** What a `secure-account` link is bound to. */
export interface SecureAccountData extends Record<string, unknown> {
  /** The address of the account before the event that the mail is about: the link takes a change of it back. */
  readonly email: string
}

/** Templates that tell a user what happened to their account, with the link to secure it. */
type SecurityTemplate = {
  [N in MailName]: MailValues<N> extends { secureLink: string } ? N : never
}[MailName]

type Told<T extends SecurityTemplate> = Omit<MailValues<T>, 'name' | 'at' | 'secureLink'>

type Recipient = Pick<UserRow, 'id' | 'email'> & Addressee

/** The token of a link, bound to the address that it restores. */
const linkKind = { purpose: 'secure_account', livesMs: linkLivesMs.secureAccount, beside: maxLinks - 1 } as const
const ownerOf = ({ id }: Recipient, email: string) => ({
  userId: id,
  data: { email } satisfies SecureAccountData,
})

function toMail<T extends SecurityTemplate>(
  tx: Tx,
  user: Recipient,
  template: T,
  told: Told<T>,
  token: string,
): Mail<T> {
  const secureLink = `${tx.config.publicUrl}/secure-account#token=${token}`
  const values = { name: nameOf(user), at: toTimestamp(tx.clock()), secureLink, ...told } as unknown as MailValues<T>
  return { template, to: user.email, userId: user.id, data: values }
}

/**
 * Mails a user what happened to their account, in the transaction in which it happened, to `to` where the address changed. The
 * link lets them take the account back if it was not they.
 */
export async function sendSecurityMail<T extends SecurityTemplate>(
  tx: Tx,
  user: Recipient,
  template: T,
  told: Told<T>,
  restores = user.email,
): Promise<void> {
  const token = await createToken(tx, { ...linkKind, ...ownerOf(user, restores) })
  await sendMail(tx, toMail(tx, user, template, told, token))
}

const mailsAtOnce = 100

/** The same to many users to whom the same happened. These mails are sent after all others. */
export async function sendSecurityMails<T extends SecurityTemplate>(
  tx: Tx,
  users: readonly Recipient[],
  template: T,
  told: Told<T>,
): Promise<void> {
  for (let start = 0; start < users.length; start += mailsAtOnce) {
    const some = users.slice(start, start + mailsAtOnce)
    const owners = some.map((user) => ownerOf(user, user.email))
    const tokens = await createTokens(tx, linkKind, owners)
    const mails = some.map((user, at) => toMail(tx, user, template, told, tokens[at] as string))
    await sendMails(tx, mails)
  }
}

/** After an administrator changed the address: links that are under way still secure the account, and keep the new address. */
export async function rebindSecureLinks(tx: Tx, userId: number, email: string): Promise<void> {
  const data: SecureAccountData = { email }
  await tx.db
    .updateTable('tokens')
    .set({ data: JSON.stringify(data) })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'secure_account')
    .execute()
}
