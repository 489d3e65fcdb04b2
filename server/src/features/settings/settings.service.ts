import type { Config } from '../../config.ts'
import type { Actor, Context, Reads, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { forUpdate, lockTable } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { assertFitForEverybody, assertMayGrant, listRolePermissions } from '../roles/roles.service.ts'
import { defaultRoleId } from '../roles/roles.table.ts'
import type { Settings, UpdateSettings } from './settings.schemas.ts'

const defaults = (config: Config): Settings => ({
  'registration.enabled': true,
  'registration.email_confirmation': true,
  'registration.captcha': config.captcha !== null,
  'registration.terms': false,
  'registration.terms_version': null,
  'registration.terms_url': null,
  'registration.default_role_id': defaultRoleId,
  'registration.unconfirmed_days': 30,
  'password_reset.enabled': true,
  'password.min_length': 8,
  'password.required': true,
  'two_factor.enabled': true,
  'session.idle_minutes': 120,
  'session.absolute_hours': 720,
  'session.max_per_user': 50,
  'activity.retention_days': 365,
  'sign_ins.retention_days': 90,
})

const selectSettings = prepare((db) => db.selectFrom('settings').selectAll())

/** The current settings, on every node: nothing is cached between requests. */
export async function readSettings(from: Reads): Promise<Settings> {
  const rows = await selectSettings(from.db)
  const stored = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]))
  return { ...defaults(from.config), ...stored, ...from.plugins.readSettings(stored) }
}

/** Changes any subset of the settings. They take effect at the next request. */
export async function updateSettings(ctx: Context, actor: Actor, draft: Draft<UpdateSettings>): Promise<Settings> {
  return ctx.transaction(actor, async (tx) => {
    await lockTable(tx.db, 'settings')
    const before = await readSettings(tx)
    await checkSettings(tx, draft)
    const { force = false, ...sent } = draft.accept()
    const changed = Object.entries(sent).filter(([name, value]) => before[name as keyof Settings] !== value)
    for (const [name, value] of changed) {
      const row = { name, value: JSON.stringify(value) }
      await tx.db
        .insertInto('settings')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    }
    const role = changed.find(([name]) => name === 'registration.default_role_id')
    if (role !== undefined) {
      await assertMayGrant(tx.db, tx.actor, role[1] as number)
      const held = await listRolePermissions(tx.db, role[1] as number)
      if (!force) assertFitForEverybody('registration.default_role_id', held)
    }
    if (changed.length > 0) {
      await recordActivity(
        tx,
        tx.actor,
        'settings.updated',
        { type: 'settings', id: null },
        { fields: changed.map(([name]) => name) },
      )
    }
    return readSettings(tx)
  })
}

async function checkSettings(tx: Tx, draft: Draft<UpdateSettings>): Promise<void> {
  const role = draft.given['registration.default_role_id']
  if (role !== undefined) {
    // Locked: a deletion at the same time either came before, or comes later and takes the setting back.
    const locked = forUpdate(tx.db)(tx.db.selectFrom('roles').select('id').where('id', '=', role))
    if ((await locked.executeTakeFirst()) === undefined)
      draft.reject('registration.default_role_id', 'There is no such role.')
  }
  if (draft.given['registration.captcha'] === true && tx.config.captcha === null) {
    draft.reject('registration.captcha', 'No captcha provider is configured: set GATEHOUSE_CAPTCHA_URL.')
  }
}
