import type { Context, Reads } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { toTimestamp } from '../../core/time.ts'
import { createYielder } from '../../core/yielder.ts'
import { countries } from '../countries/countries.data.ts'
import { readForeignHash } from '../passwords/foreign-hashes.ts'
import { checkPassword, hashPassword } from '../passwords/passwords.service.ts'
import type { ImportRow } from './import.schemas.ts'
import type { ImportOptions } from './options.ts'
import type { ReadRow } from './read-rows.ts'

/** A row with everything decided that needs no query. */
export interface PreparedRow {
  readonly line: number
  readonly draft: Draft<ImportRow>
  /** The hash to store; undefined where no password was given. */
  readonly passwordHash: string | undefined
  readonly hasPassword: boolean
}

const countryByCode = new Map(
  countries.flatMap((country) => [
    [country.iso_3166_2, country.id] as const,
    [country.iso_3166_3, country.id] as const,
    [String(country.id), country.id] as const,
    [String(country.id).padStart(3, '0'), country.id] as const,
  ]),
)

/** `country` names what `country_id` stores. */
function readCountry(draft: Draft<ImportRow>): void {
  const { country, country_id } = draft.given
  if (country === undefined) return
  if (country_id !== undefined) {
    draft.reject('country', 'Send country or country_id, not both.')
    return
  }
  const id = country === null ? null : countryByCode.get(country.toUpperCase())
  if (id === undefined) draft.reject('country', 'The country field must be an ISO 3166-1 code, such as GB, GBR or 826.')
  else draft.given.country_id = id
}

function readHash(draft: Draft<ImportRow>, { hash_parameters }: ImportOptions): string | undefined {
  const { password, password_hash, password_salt } = draft.given
  if (password_hash === undefined) return undefined
  if (password !== undefined) {
    draft.reject('password_hash', 'Send password or password_hash, not both.')
    return undefined
  }
  const read = readForeignHash(password_hash, password_salt, hash_parameters ?? undefined)
  if ('hash' in read) return read.hash
  draft.reject('password_hash', read.fault)
  return undefined
}

/** How many passwords are hashed at a time: one core is left for people who sign in. */
const hashedAtOnce = 2

/** Checks what can be checked without the database, and hashes passwords. A dry run hashes none. */
export async function prepareRows(
  ctx: Context,
  rows: readonly ReadRow[],
  options: ImportOptions,
  minLength: number,
): Promise<PreparedRow[]> {
  const now = toTimestamp(ctx.clock())
  const prepared: PreparedRow[] = []
  const yieldNow = createYielder()
  for (let at = 0; at < rows.length; at += hashedAtOnce) {
    const part = rows.slice(at, at + hashedAtOnce).map((row) => prepareRow(ctx, row, options, { now, minLength }))
    prepared.push(...(await Promise.all(part)))
    await yieldNow()
  }
  return prepared
}

/** Rows without a password are prepared at once, without a turn of the event loop each. */
function prepareRow(
  ctx: Context,
  { line, draft }: ReadRow,
  options: ImportOptions,
  { now, minLength }: { readonly now: string; readonly minLength: number },
): PreparedRow | Promise<PreparedRow> {
  readCountry(draft)
  const { created_at, password, role, role_id } = draft.given
  if (created_at !== undefined && created_at > now)
    draft.reject('created_at', 'The created at field must not lie in the future.')
  if (role !== undefined && role_id !== undefined) draft.reject('role', 'Send role or role_id, not both.')
  const passwordHash = readHash(draft, options)
  if (password === undefined) return { line, draft, passwordHash, hasPassword: passwordHash !== undefined }
  return withPassword(ctx, { line, draft }, password, options.dry_run, minLength)
}

async function withPassword(
  ctx: Reads,
  { line, draft }: ReadRow,
  password: string,
  isDryRun: boolean,
  minLength: number,
): Promise<PreparedRow> {
  const { email, username } = draft.given
  await checkPassword(ctx, draft as Parameters<typeof checkPassword>[1], { email, username }, minLength)
  const isHashed = !isDryRun && draft.failures.length === 0
  return { line, draft, passwordHash: isHashed ? await hashPassword(password) : undefined, hasPassword: true }
}
