import { type Static, type TSchema, Type } from 'typebox'
import type { Actor } from './context.ts'

const none = Type.Undefined()
const fields = Type.Object({ fields: Type.Array(Type.String(), { description: 'The names of what was changed.' }) })
const count = Type.Integer({ minimum: 1 })
const job = Type.Optional(Type.Integer({ description: 'The job that made the change, if it was part of one.' }))
const statusBefore = Type.Object({
  before: Type.String({ description: 'The status that the account had.' }),
  job_id: job,
})
const ofJob = Type.Union([none, Type.Object({ job_id: job })])
const howMany = Type.Integer({ minimum: 0 })
const jobCounts = Type.Object({
  status: Type.String(),
  created: howMany,
  updated: howMany,
  skipped: howMany,
  failed: howMany,
})
const ofUser = Type.Object({ user_id: Type.Integer({ description: 'The owner.' }) })

const ofFactor = Type.Object({ type: Type.String({ description: '`totp` or `passkey`.' }) })

/**
 * Every event that the core writes into the audit log, with its details. Plugins declare theirs in `Plugin.events`. Details
 * hold only names of fields and ids, never a secret: a row outlives the account. The reason of a ban is the only free text.
 */
export const coreEvents = {
  'user.created': none,
  'user.registered': none,
  'user.confirmed': statusBefore,
  'user.invited': none,
  'user.updated': fields,
  'user.email_was_another': none,
  'user.email_collides': Type.Object({ with: Type.Integer({ description: 'The user who has the same address.' }) }),
  'user.deleted': ofJob,
  'user.banned': Type.Object({
    ...statusBefore.properties,
    reason: Type.Optional(Type.String({ description: 'The reason that was given for the ban.' })),
  }),
  'user.activated': statusBefore,
  'user.unconfirmed': statusBefore,
  'user.role_changed': Type.Object({ before: Type.Integer(), after: Type.Integer(), job_id: job }),
  'user.password_changed': none,
  'user.password_reset_requested': ofJob,
  'user.avatar_changed': none,
  'user.avatar_removed': none,
  'user.signed_in': Type.Object({
    method: Type.String({ description: '`password`, `email_link`, `totp`, `sms`, `recovery_code` or `passkey`.' }),
    preferred: Type.Optional(Type.String({ description: 'The stronger method that was not chosen.' })),
  }),
  'user.sign_in_failed': Type.Object({
    reason: Type.String(),
    field: Type.Optional(Type.String({ description: 'The field of a request that held the password or code.' })),
    count,
  }),
  'user.sign_ins_limited': Type.Object({ budget: Type.String(), count }),
  'user.sessions_ended': ofJob,
  'user.two_factor_requested': none,
  'user.two_factor_enabled': none,
  'user.two_factor_disabled': Type.Union([
    none,
    Type.Object({ pending: Type.Boolean({ description: 'True if it was requested but never turned on.' }) }),
  ]),
  'user.factor_added': ofFactor,
  'user.factor_removed': ofFactor,
  'user.recovery_codes_renewed': none,
  'user.reauthenticated': Type.Object({ method: Type.String(), count }),
  'session.ended': none,
  'api_key.created': ofUser,
  'api_key.updated': fields,
  'api_key.rotated': none,
  'api_key.revoked': ofUser,
  'role.created': none,
  'role.updated': none,
  'role.deleted': Type.Object({ users_moved: Type.Integer() }),
  'role.permissions_changed': Type.Object({ before: Type.Array(Type.String()), after: Type.Array(Type.String()) }),
  'permission.created': none,
  'permission.updated': none,
  'permission.deleted': Type.Object({ name: Type.String() }),
  'users.imported': jobCounts,
  'users.exported': Type.Object({ format: Type.String(), fields: Type.Array(Type.String()) }),
  'users.bulk_changed': Type.Object({ action: Type.String(), ...jobCounts.properties }),
  'settings.updated': fields,
  'delivery.retried': none,
  'webhook.created': none,
  'webhook.updated': fields,
  'webhook.deleted': none,
  'webhook.disabled': Type.Object({ reason: Type.String({ description: '`gone` or `failing`.' }) }),
  'webhook.tested': none,
  'backup.created': Type.Object({
    users: howMany,
    encrypted: Type.Boolean({ description: 'True if a passphrase protects the file.' }),
  }),
  'sms.cap_near': Type.Object({ count: Type.Integer(), cap: Type.Integer() }),
} as const satisfies Readonly<Record<string, TSchema>>

export type CoreEvent = keyof typeof coreEvents
export type DetailsOf<Name extends CoreEvent> = Static<(typeof coreEvents)[Name]>

export interface Subject {
  /** Plugins have subject types of their own. */
  readonly type:
    | 'user'
    | 'role'
    | 'permission'
    | 'api_key'
    | 'session'
    | 'settings'
    | 'delivery'
    | 'job'
    | 'users'
    | 'webhook'
    | 'backup'
    | (string & {})
  readonly id: number | null
}

/** An event as the audit log has it. */
export interface Event {
  readonly event: string
  readonly actor: Actor
  readonly subject: Subject
  readonly details: Readonly<Record<string, unknown>> | undefined
}
