import type { Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { errors } from '../../core/errors.ts'
import { excerpt } from '../../core/excerpt.ts'
import { covers, mayChangeOwnAccount } from '../../core/permissions.ts'
import { canonicalName } from '../../core/text.ts'
import { createYielder } from '../../core/yielder.ts'
import { findByNames, insertUsers } from '../accounts/users.bulk.ts'
import { userErrors } from '../accounts/users.errors.ts'
import { type ProfileField, profileFieldNames } from '../accounts/users.fields.ts'
import { changeUser, isActiveAdmin, type NewUser, type UserChanges } from '../accounts/users.queries.ts'
import type { UserRow, UserStatus } from '../accounts/users.table.ts'
import { sendInvitation } from '../invitations/invitations.service.ts'
import type { Counts } from '../jobs/jobs.runner.ts'
import { noPassword } from '../passwords/no-password.ts'
import { mayMailMailbox } from '../registration/unproved-mail.service.ts'
import { roleErrors } from '../roles/roles.errors.ts'
import { applyChanges } from '../users/users.changes.ts'
import { checkFields } from '../users/users.service.ts'
import { type Account, type Batch, emailOf, type Imported, openBatch } from './batch.ts'
import { storeDrafts } from './drafts.ts'
import type { ImportRow } from './import.schemas.ts'
import type { ImportOptions } from './options.ts'
import type { PreparedRow } from './prepare.ts'

/** Applies the rows of a batch in their order. */
export async function applyRows(
  tx: Tx,
  jobId: number,
  rows: readonly PreparedRow[],
  options: ImportOptions,
): Promise<Counts> {
  const batch = await openBatch(tx, jobId, rows, options)
  const counts = { created: 0, updated: 0, skipped: 0, failed: 0 }
  const yieldNow = createYielder()
  for (const row of rows) {
    counts[await applyRow(batch, row)]++
    await yieldNow()
  }
  if (options.dry_run) await storeDrafts(tx.db, jobId, batch.accounts, yieldNow)
  else await write(batch, yieldNow)
  return { done: rows.length, ...counts, errors: batch.errors }
}

type Outcome = 'created' | 'updated' | 'skipped' | 'failed'

async function applyRow(batch: Batch, row: PreparedRow): Promise<Outcome> {
  const draft = row.draft.fork() // the transaction may be retried
  const email = emailOf(row)
  const account = email === undefined ? undefined : batch.accounts.get(email)
  const roleId = await readRole(batch, draft, account)
  const owner = draft.given.username == null ? undefined : batch.owners.get(canonicalName(draft.given.username))
  const { on_conflict } = batch.options
  if (account !== undefined && on_conflict === 'skip' && draft.failures.length === 0) return 'skipped'
  const taken = [
    ...(account !== undefined && on_conflict !== 'update' ? (['email'] as const) : []),
    ...(owner !== undefined && owner !== email ? (['username'] as const) : []),
  ]
  checkFields(draft, { taken, isRole: true, today: batch.today }, account?.state, draft.given.email)
  const changes = account === undefined ? undefined : changesOf(batch, row, draft, account.state, roleId)
  if (account?.row !== undefined && changes !== undefined) await checkChange(batch, draft, account, changes)
  if (draft.failures.length > 0) {
    for (const failure of draft.failures) batch.errors.push({ line: row.line, ...failure })
    return 'failed'
  }
  if (account === undefined) return create(batch, row, draft, email as string, roleId)
  return update(batch, account, changes ?? {}, email as string)
}

/** The role of the row; the default role for a new user, undefined if an existing one keeps theirs. */
async function readRole(
  batch: Batch,
  draft: Draft<ImportRow>,
  account: Account | undefined,
): Promise<number | undefined> {
  const { role, role_id } = draft.given
  const field = role === undefined ? 'role_id' : 'role'
  const named = role === undefined ? role_id : batch.roles.get(canonicalName(role))
  if ((role !== undefined && named === undefined) || (named !== undefined && !batch.roleIds.has(named))) {
    draft.reject(field, `There is no role ${excerpt(role ?? role_id ?? '')}.`)
    return undefined
  }
  const id = named ?? (account === undefined ? batch.defaultRole : undefined)
  const isSame = id === undefined || id === account?.state.role_id
  if (!isSame && !covers(batch.tx.actor.permissions, await batch.heldBy(id)))
    draft.reject(field, roleErrors.role_above_you())
  return id
}

/** The status that a row asks for. */
function statusOf({ status, email_verified }: Partial<ImportRow>, before: UserStatus | undefined): UserStatus {
  const asked = status ?? before ?? 'Active'
  if (email_verified === false && asked === 'Active') return 'Unconfirmed'
  if (email_verified === true && status === undefined && before === 'Unconfirmed') return 'Active'
  return asked
}

/** A hash stands for a password that a dry run did not hash. */
const dryHash = 'not hashed in a dry run'

/** The fields of the profile; null where the row has none. */
const profileOf = (given: Partial<ImportRow>) =>
  Object.fromEntries(profileFieldNames.map((name) => [name, given[name] ?? null])) as Pick<Imported, ProfileField>

function create(
  batch: Batch,
  row: PreparedRow,
  draft: Draft<ImportRow>,
  email: string,
  roleId: number | undefined,
): Outcome {
  const { given } = draft
  const asked = statusOf(given, undefined)
  const isInvited = batch.options.notify === 'invite' && !row.hasPassword && asked !== 'Banned'
  const state: Imported = {
    email: given.email ?? '',
    password_hash: row.passwordHash ?? (row.hasPassword ? dryHash : noPassword),
    role_id: roleId ?? batch.defaultRole,
    status: isInvited ? 'Unconfirmed' : asked,
    created_at: given.created_at ?? batch.now,
    ...profileOf(given),
  }
  batch.accounts.set(email, { row: undefined, state, isNew: true, isInvited, isChanged: true })
  if (isActiveAdmin(state)) batch.moreAdmins++
  if (state.username !== null) batch.owners.set(canonicalName(state.username), email)
  return 'created'
}

/** What a row changes of a user. Only what it gives counts. */
function changesOf(
  batch: Batch,
  row: PreparedRow,
  draft: Draft<ImportRow>,
  state: Imported,
  roleId: number | undefined,
): Partial<Imported> {
  const { given } = draft
  const wanted: Partial<Imported> = {}
  for (const name of [...profileFieldNames, 'created_at'] as const) {
    const value = given[name]
    if (value !== undefined) Object.assign(wanted, { [name]: value })
  }
  wanted.status = statusOf(given, state.status)
  if (roleId !== undefined) wanted.role_id = roleId
  if (row.hasPassword) wanted.password_hash = row.passwordHash ?? dryHash
  if (batch.options.dry_run && row.hasPassword && given.password_hash === undefined)
    wanted.password_hash = `${dryHash} ${row.line}`
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => state[name as keyof Imported] !== value),
  ) as Partial<Imported>
}

const ownSignIn = 'Your own username and password are changed on your account page.'
const ownByLimitedKey = "An API key with a list of permissions does not change its owner's account."

/** The rules of PATCH /users/{id} for who may change whom. */
async function checkChange(
  batch: Batch,
  draft: Draft<ImportRow>,
  account: Account,
  changes: Partial<Imported>,
): Promise<void> {
  const { actor } = batch.tx
  if (Object.keys(changes).length === 0) return
  if (!covers(actor.permissions, await batch.heldBy(account.state.role_id)))
    draft.reject('email', userErrors.user_above_you())
  if (account.row?.id === actor.userId) {
    if (!mayChangeOwnAccount(actor.scope)) draft.reject('email', errors.forbidden(ownByLimitedKey))
    if (changes.status === 'Banned') draft.reject('status', userErrors.user_is_yourself())
    const passwordField = draft.given.password === undefined ? 'password_hash' : 'password'
    if (changes.username !== undefined) draft.reject('username', ownSignIn)
    if (changes.password_hash !== undefined) draft.reject(passwordField, ownSignIn)
  }
  if (!isActiveAdmin(account.state) || isActiveAdmin({ ...account.state, ...changes })) return
  if ((await batch.countAdmins()) + batch.moreAdmins > 1) return
  const roleField = draft.given.role === undefined ? 'role_id' : 'role'
  draft.reject(changes.role_id === undefined ? 'status' : roleField, userErrors.user_last_admin())
}

function update(batch: Batch, account: Account, changes: Partial<Imported>, email: string): Outcome {
  if (Object.keys(changes).length === 0) return 'skipped'
  const { username } = account.state
  if (changes.username !== undefined && username !== null) batch.owners.delete(canonicalName(username))
  if (changes.username != null) batch.owners.set(canonicalName(changes.username), email)
  const before = account.state
  account.state = { ...before, ...changes }
  batch.moreAdmins += Number(isActiveAdmin(account.state)) - Number(isActiveAdmin(before))
  account.isChanged = true
  if (account.isInvited && changes.password_hash !== undefined) account.isInvited = false
  return 'updated'
}

async function write({ tx, jobId, accounts, now }: Batch, yieldNow: () => Promise<void> | undefined): Promise<void> {
  const created = [...accounts.values()].filter(({ isNew }) => isNew)
  const changed = [...accounts.values()].filter(({ isNew, isChanged }) => isChanged && !isNew)
  // A name has to be given up before another user can take it: some exchange theirs in one file.
  const present = new Map<Account, UserRow>()
  for (const account of changed.filter(({ row, state }) => row?.username !== state.username))
    if (account.row?.username != null) present.set(account, await changeUser(tx.db, account.row, { username: null }))
  const users = created.map(({ state, isInvited }): NewUser => {
    const isWaiting = state.status === 'Unconfirmed' && !isInvited
    return { ...state, updated_at: now, unconfirmed_since: isWaiting ? now : null, import_id: jobId }
  })
  await insertUsers(tx.db, users, yieldNow)
  // New administrators come first: until they are there, the last one cannot go.
  for (const account of [...changed.filter(isPromoted), ...changed.filter((account) => !isPromoted(account))]) {
    await writeChange(tx, account, present.get(account))
    await yieldNow()
  }
  const invited = created.filter(({ isInvited }) => isInvited).map(({ state }) => canonicalEmail(state.email))
  for (const user of invited.length > 0 ? await findByNames(tx.db, invited, []) : []) {
    if (await mayMailMailbox(tx, user.email)) await sendInvitation(tx, user)
    await yieldNow()
  }
}

const isPromoted = ({ row, state }: Account): boolean =>
  isActiveAdmin(state) && row !== undefined && !isActiveAdmin(row)

/** Writes what the rows of a file change of a user, whose row the batch has locked; it is `present` now. */
async function writeChange(tx: Tx, { row, state }: Account, present = row): Promise<void> {
  if (row === undefined || present === undefined) return
  const names = [...profileFieldNames, 'password_hash', 'role_id', 'status', 'created_at'] as const
  const changes: UserChanges = Object.fromEntries(
    names.filter((name) => state[name] !== row[name]).map((name) => [name, state[name]]),
  )
  if (Object.keys(changes).length > 0) await applyChanges(tx, tx.actor, present, changes)
}
