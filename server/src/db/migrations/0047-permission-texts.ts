import { type Kysely, sql } from 'kysely'

/** The first texts promised changes that these permissions do not allow, or left out what they do. */
const texts = [
  ['settings.general', 'Change general settings; read metrics.', 'Read the settings and the metrics.'],
  ['settings.auth', 'Change settings of registration, sign-in and passwords.', 'Read and change all settings.'],
  ['settings.notifications', 'Change settings of notifications.', 'Send a test mail to oneself.'],
  [
    'deliveries.view',
    'See the mail and SMS that were sent, failed or captured.',
    'See the mail and SMS that were sent, failed or captured, and send them again.',
  ],
] as const

/** Texts that an administrator has changed stay. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, before, after] of texts) {
    await sql`update permissions set description = ${after} where name = ${name} and description = ${before}`.execute(
      db,
    )
  }
}
