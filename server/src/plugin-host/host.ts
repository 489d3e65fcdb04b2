import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Host, Reads as KitReads, Tx as KitTx } from '@gatehouse/plugin-kit'
import type { Context, Reads, Tx } from '../core/context.ts'
import { toLine } from '../core/csv.ts'
import { errors } from '../core/errors.ts'
import { onceResolved } from '../core/once-resolved.ts'
import { serviceNameOf } from '../core/sender.ts'
import { searchForm, sortKey } from '../core/text.ts'
import { createThread } from '../core/thread.ts'
import { toTimestamp } from '../core/time.ts'
import type { ReadDb } from '../db/database.ts'
import { recordEvent } from '../features/activity/activity.service.ts'
import { cancelMail, findMailProgress, prepareMail, sendPrepared } from '../mails/mail-to-many.ts'
import { checkMailSources, readMailSources } from '../mails/templates.ts'
import { systemPluginActor, toActor, toPluginActor } from './actors.ts'
import { errorsOf } from './check.ts'
import { includeUsers, readUsers } from './host-users.ts'
import type { LoadedPlugin } from './load.ts'
import { pluginSettings } from './settings.ts'

/** What a plugin gets of this installation, and of each transaction. */
export interface Hosting {
  readonly host: Host
  readonly txFor: (tx: Tx) => KitTx
}

const writes = ['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto', 'schema', 'transaction'] as const

/** The database for reading. A JavaScript plugin, which has no types, gets a clear error when it tries to write. */
function toReadOnly(db: ReadDb): KitReads['db'] {
  const { fn, dynamic } = db
  const reading = {
    selectFrom: db.selectFrom.bind(db),
    selectNoFrom: db.selectNoFrom.bind(db),
    case: db.case.bind(db),
    fn,
    dynamic,
  }
  for (const name of writes) {
    Object.defineProperty(reading, name, {
      get: () => {
        throw new Error(
          `host.db only reads (${name}). Change data with the tx.db of host.transaction(actor, async (tx) => …).`,
        )
      },
    })
  }
  return reading as unknown as KitReads['db']
}

export function createHost(ctx: Context, { plugin }: LoadedPlugin, wake: Host['wake']): Hosting {
  const { id, events = [] } = plugin
  const mails = plugin.mails instanceof URL ? readMailSources(plugin.mails) : (plugin.mails ?? {})
  checkMailSources(mails)
  const log = (level: 'info' | 'warn' | 'error') => (details: object, message: string) =>
    ctx.log[level]({ ...details, plugin: id }, message)
  const settings = pluginSettings(plugin)
  const secretFrom = onceResolved((db: ReadDb) => findSecret(db, id))
  const surroundings = {
    now: () => toTimestamp(ctx.clock()),
    publicUrl: ctx.config.publicUrl,
    serviceName: serviceNameOf(ctx.config),
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    errors: errorsOf(plugin),
    notFound: () => errors.not_found(),
    fold: searchForm,
    sortKey,
    csvLine: toLine,
  }
  const reads = (from: Reads) => ({
    ...surroundings,
    settings: () => settings.load(from.db),
    sign: async (text: string) =>
      createHmac('sha256', await secretFrom(from.db))
        .update(text)
        .digest('base64url'),
    users: readUsers(from.db),
    mail: { progress: (batchId: number) => findMailProgress(from.db, batchId) },
  })

  const txFor: Hosting['txFor'] = (tx) => {
    const common = reads(tx)
    return {
      ...common,
      db: tx.db as unknown as KitTx['db'],
      actor: toPluginActor(tx.actor),
      mail: {
        ...common.mail,
        prepare: async ({ template, ...mail }) => {
          const source = Object.hasOwn(mails, template) ? mails[template] : undefined
          if (source === undefined) throw new Error(`the plugin ${id} has no mail "${template}"`)
          return prepareMail(tx, { ...mail, source, template: `${id}.${template}` })
        },
        send: (batchId, recipients) => sendPrepared(tx, batchId, recipients),
        cancel: (batchId) => cancelMail(tx, batchId),
      },
      recordActivity: async (event, subject, details) => {
        if (!events.includes(event)) throw new Error(`the plugin ${id} declares no event "${event}"`)
        await recordEvent(tx, { event, actor: tx.actor, subject, details: details && { ...details } })
      },
    }
  }

  const common = reads(ctx)
  const host: Host = {
    ...common,
    db: toReadOnly(ctx.db),
    users: { ...common.users, include: includeUsers(ctx) },
    transaction: (actor, work) => ctx.transaction(toActor(actor), (tx) => work(txFor(tx))),
    system: systemPluginActor,
    inThread: (module, name) => {
      if (!(module instanceof URL))
        throw new Error(`inThread needs new URL('./work.js', import.meta.url), not ${module}`)
      if (!existsSync(module)) throw new Error(`inThread: there is no file ${module.pathname}`)
      return createThread(module, name, errors.unavailable)
    },
    wake,
  }
  return { host, txFor }
}

async function findSecret(db: ReadDb, id: string): Promise<string> {
  const row = await db.selectFrom('plugins').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
  return row.secret
}
