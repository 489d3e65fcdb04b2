import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/**
 * The users of one role and status are counted in several rows, to be summed. With a single row on PostgreSQL, every insert of a
 * user would wait for the previous one to commit.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) {
    await sql`alter table user_counts add column slot integer not null default 0`.execute(db)
    await sql`alter table user_counts drop constraint user_counts_pk`.execute(db)
    await sql`alter table user_counts add constraint user_counts_pk primary key (role_id, status, slot)`.execute(db)
    return
  }
  await sql`alter table user_counts rename to user_counts_before`.execute(db)
  await sql`create table user_counts (role_id integer not null, status text not null, slot integer not null default 0,
    count integer not null, constraint user_counts_pk primary key (role_id, status, slot))`.execute(db)
  await sql`insert into user_counts (role_id, status, count) select role_id, status, count from user_counts_before`.execute(
    db,
  )
  await sql`drop table user_counts_before`.execute(db)
}
