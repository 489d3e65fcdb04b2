import type { Host, Plugin } from '@gatehouse/plugin-kit'
import type { Context } from '../core/context.ts'
import type { Db } from '../db/database.ts'
import { cancelMail, findMailProgress, prepareMail, sendPrepared } from '../delivery/mail-to-many.ts'

/** The outbox for mails to many, written with the plugin's own templates. */
export function hostMail(ctx: Context, { id, mails = {} }: Plugin): Host['mail'] {
  const toDb = (db: Host['db']) => db as unknown as Db
  return {
    prepare: async (db, { template, ...mail }) => {
      const source = Object.hasOwn(mails, template) ? mails[template] : undefined
      if (source === undefined) throw new Error(`the plugin ${id} has no mail "${template}"`)
      return prepareMail(ctx, toDb(db), { ...mail, source, template: `${id}.${template}` })
    },
    send: (db, batchId, recipients) => sendPrepared(ctx, toDb(db), batchId, recipients),
    progress: (db, batchId) => findMailProgress(toDb(db), batchId),
    cancel: (db, batchId) => cancelMail(ctx, toDb(db), batchId),
  }
}
