import { type Kysely, sql } from 'kysely'
import { canonicalEmail } from '../../core/email-address.ts'
import { toTimestamp } from '../../core/time.ts'

/*
 * Writes the form in which every e-mail address is compared again. Until here, addresses that only looked alike counted as
 * one (`gıthub.test` as `github.test`), so the new forms tell more addresses apart. Should two accounts share a new form all
 * the same, both stay: the later one gets a form that no address has, and cannot be named by its address until somebody
 * changes it. The audit log names, by id, the accounts that somebody should look at.
 */

interface Tables {
  users: { id: number; email: string; email_canonical: string }
  activity: { event: string; subject_type: string; subject_id: number; details: string | null; created_at: string }
}

const batchSize = 1_000

/** Forms are written in one statement for each batch. */
async function writeForms(db: Kysely<Tables>, forms: ReadonlyMap<number, string>): Promise<void> {
  if (forms.size === 0) return
  const rows = [...forms].map(([id, form]) => sql`(cast(${id} as bigint), cast(${form} as text))`)
  await sql`
    with forms (id, form) as (values ${sql.join(rows)})
    update users set email_canonical = forms.form from forms where users.id = forms.id`.execute(db)
}

async function report(db: Kysely<Tables>, event: string, found: ReadonlyMap<number, object | null>): Promise<void> {
  if (found.size === 0) return
  const created_at = toTimestamp(new Date())
  const rows = [...found].map(([subject_id, details]) => ({
    event,
    subject_type: 'user',
    subject_id,
    details: details === null ? null : JSON.stringify(details),
    created_at,
  }))
  await db.insertInto('activity').values(rows).execute()
}

/** Moves the forms that change out of the way, so that the order in which they are written does not matter. */
async function clearForms(db: Kysely<Tables>): Promise<number[]> {
  const changed: number[] = []
  for (let last = 0; ; ) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email', 'email_canonical'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (users.length === 0) return changed
    last = users.at(-1)?.id as number
    const forms = new Map<number, string>()
    const found = new Map<number, null>()
    for (const { id, email, email_canonical } of users) {
      const form = canonicalEmail(email)
      if (form === email_canonical) continue
      forms.set(id, ` ${id}`) // forms are trimmed: none begins with a space
      if (canonicalEmail(email_canonical) !== form) found.set(id, null)
    }
    changed.push(...forms.keys())
    await writeForms(db, forms)
    await report(db, 'user.email_was_another', found)
  }
}

async function writeNewForms(db: Kysely<Tables>, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += batchSize) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', 'in', ids.slice(start, start + batchSize))
      .orderBy('id')
      .execute()
    const wanted = users.map(({ id, email }) => ({ id, form: canonicalEmail(email) }))
    const owners = await db
      .selectFrom('users')
      .select(['id', 'email_canonical'])
      .where(
        'email_canonical',
        'in',
        wanted.map(({ form }) => form),
      )
      .execute()
    const owned = new Map(owners.map(({ id, email_canonical }) => [email_canonical, id]))
    const forms = new Map<number, string>()
    const collisions = new Map<number, { with: number }>()
    for (const { id, form } of wanted) {
      const owner = owned.get(form)
      if (owner === undefined) owned.set(form, id)
      else collisions.set(id, { with: owner })
      forms.set(id, owner === undefined ? form : `${form} ${id}`)
    }
    await writeForms(db, forms)
    await report(db, 'user.email_collides', collisions)
  }
}

export async function up(untyped: Kysely<never>): Promise<void> {
  const db = untyped as unknown as Kysely<Tables>
  await writeNewForms(db, await clearForms(db))
}
