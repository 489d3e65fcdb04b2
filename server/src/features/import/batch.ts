import type { Tx } from '../../core/context.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import type { PermissionSet } from '../../core/permissions.ts'
import { canonicalName } from '../../core/text.ts'
import { toDate, toTimestamp } from '../../core/time.ts'
import { countActiveAdmins, findByNames } from '../accounts/users.bulk.ts'
import type { ProfileField } from '../accounts/users.fields.ts'
import type { UserRow } from '../accounts/users.table.ts'
import type { NewJobError } from '../jobs/jobs.service.ts'
import { lockRegistrationRole } from '../roles/registration-role.ts'
import { findRolePermissions } from '../roles/roles.service.ts'
import { countDraftedAdmins, findDrafts } from './drafts.ts'
import type { ImportOptions } from './options.ts'
import type { PreparedRow } from './prepare.ts'

/** The fields of a user that an import may set. */
export type Imported = Pick<UserRow, 'email' | 'password_hash' | 'role_id' | 'status' | 'created_at' | ProfileField>

/** A user while the rows of a batch are gone through. */
export interface Account {
  /** The stored row; undefined for one that this batch, or an earlier one of a dry run, creates. */
  readonly row: UserRow | undefined
  state: Imported
  isNew: boolean
  isInvited: boolean
  isChanged: boolean
}

export interface Batch {
  readonly tx: Tx
  readonly jobId: number
  readonly options: ImportOptions
  readonly accounts: Map<string, Account>
  /** Canonical username → canonical address of the user who has it. */
  readonly owners: Map<string, string>
  readonly roles: ReadonlyMap<string, number>
  readonly roleIds: ReadonlySet<number>
  readonly heldBy: (roleId: number) => Promise<PermissionSet>
  readonly defaultRole: number
  readonly errors: NewJobError[]
  /** How many active administrators there were before the batch; counted when a row takes one. */
  readonly countAdmins: () => Promise<number>
  /** How many more of them the rows of the batch have made, less those that they took. */
  moreAdmins: number
  readonly now: string
  readonly today: string
}

export const emailOf = ({ draft }: PreparedRow): string | undefined =>
  draft.given.email === undefined ? undefined : canonicalEmail(draft.given.email)

/** Looks up everything that the rules need for a batch, with one query for each kind. */
export async function openBatch(
  tx: Tx,
  jobId: number,
  rows: readonly PreparedRow[],
  options: ImportOptions,
): Promise<Batch> {
  const emails = [...new Set(rows.flatMap((row) => emailOf(row) ?? []))]
  const usernames = [
    ...new Set(rows.flatMap(({ draft: { given } }) => (given.username == null ? [] : canonicalName(given.username)))),
  ]
  // Who may change whom is decided on rows that nobody else changes any more.
  const mayChange = options.on_conflict === 'update' && !options.dry_run
  const found = await findByNames(tx.db, emails, usernames, mayChange)
  const accounts = new Map<string, Account>()
  const owners = new Map<string, string>()
  for (const row of found) {
    if (row.username_canonical !== null) owners.set(row.username_canonical, row.email_canonical)
    if (emails.includes(row.email_canonical) || options.dry_run) accounts.set(row.email_canonical, toAccount(row))
  }
  if (options.dry_run)
    await layOver(tx, jobId, { emails: [...new Set([...emails, ...accounts.keys()])], usernames, accounts, owners })
  const roles = await tx.db.selectFrom('roles').select(['id', 'name_canonical']).execute()
  const permissions = new Map<number, PermissionSet>()
  const heldBy = async (roleId: number) => {
    const held = permissions.get(roleId) ?? (await findRolePermissions(tx.db, roleId))
    permissions.set(roleId, held)
    return held
  }
  let admins: number | undefined
  return {
    tx,
    jobId,
    options,
    accounts,
    owners,
    roles: new Map(roles.map(({ id, name_canonical }) => [name_canonical, id])),
    roleIds: new Set(roles.map(({ id }) => id)),
    heldBy,
    defaultRole: await lockRegistrationRole(tx.db),
    errors: [],
    countAdmins: async () => {
      admins ??= (await countActiveAdmins(tx.db)) + (options.dry_run ? await countDraftedAdmins(tx.db, jobId) : 0)
      return admins
    },
    moreAdmins: 0,
    now: toTimestamp(tx.clock()),
    today: toDate(tx.clock()),
  }
}

const toAccount = (row: UserRow): Account => ({ row, state: row, isNew: false, isInvited: false, isChanged: false })

/** What earlier rows of a dry run would have left. */
async function layOver(
  tx: Tx,
  jobId: number,
  {
    emails,
    usernames,
    accounts,
    owners,
  }: { emails: string[]; usernames: string[] } & Pick<Batch, 'accounts' | 'owners'>,
): Promise<void> {
  for (const { email_canonical, state } of await findDrafts(tx.db, jobId, emails, usernames)) {
    const known = accounts.get(email_canonical)
    const before = known?.state.username
    if (before != null && owners.get(canonicalName(before)) === email_canonical) owners.delete(canonicalName(before))
    accounts.set(email_canonical, { row: known?.row, state, isNew: false, isInvited: false, isChanged: false })
  }
  for (const [email, { state }] of accounts) {
    if (state.username !== null) owners.set(canonicalName(state.username), email)
  }
}
