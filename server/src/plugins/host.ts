import { createHmac } from 'node:crypto'
import type { Host } from '@gatehouse/plugin-kit'
import type { Context } from '../core/context.ts'
import { errors } from '../core/errors.ts'
import { searchForm, sortKey } from '../core/text.ts'
import { toTimestamp } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import { recordActivity } from '../features/activity/activity.service.ts'
import { toActor } from './actors.ts'
import { errorsOf } from './check.ts'
import { hostMail } from './host-mail.ts'
import { hostUsers } from './host-users.ts'
import type { LoadedPlugin } from './load.ts'
import { pluginSettings } from './settings.ts'

/** What one plugin gets of this installation. */
export function createHost(ctx: Context, { plugin }: LoadedPlugin, wake: Host['wake']): Host {
  const { id } = plugin
  const toDb = (db: Host['db']) => db as unknown as Db
  const log = (level: 'info' | 'warn' | 'error') => (details: object, message: string) =>
    ctx.log[level]({ ...details, plugin: id }, message)
  const settings = pluginSettings(plugin)
  let secret: Promise<string> | undefined
  return {
    db: ctx.db as unknown as Host['db'],
    transaction: (work) => ctx.transaction((db) => work(db as unknown as Host['db'])),
    now: () => toTimestamp(ctx.clock()),
    publicUrl: ctx.config.publicUrl,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    settings: () => settings.load(ctx.db),
    errors: errorsOf(plugin),
    notFound: () => errors.not_found(),
    fold: searchForm,
    sortKey,
    sign: async (text) => {
      secret ??= findSecret(ctx.db, id)
      return createHmac('sha256', await secret)
        .update(text)
        .digest('base64url')
    },
    users: hostUsers(ctx),
    mail: hostMail(ctx, plugin),
    recordActivity: (db, actor, event, subject, details) =>
      recordActivity(ctx, toDb(db), toActor(actor), event, subject, details && { ...details }),
    wake,
  }
}

async function findSecret(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom('plugins').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
  return row.secret
}
