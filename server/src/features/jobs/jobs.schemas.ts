import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, Timestamp } from '../../http/schemas.ts'
import { jobStatuses, jobTypes } from './jobs.table.ts'

const count = (description: string, example = 0) => Type.Integer({ description, minimum: 0, examples: [example] })

export const Job = component(
  'Job',
  Type.Object({
    id: Id,
    type: choice(jobTypes, { examples: ['users.import'] }),
    status: choice(jobStatuses, { examples: ['running'] }),
    dry_run: Type.Boolean({ description: 'True if it changes nothing.', examples: [false] }),
    total: nullable(Type.Integer({ description: 'The number of rows or users; null if unknown.', examples: [45_210] })),
    done: count('How many of them it has looked at.', 12_000),
    created: count('Users that it created.', 11_200),
    updated: count('Users that it changed or deleted.', 500),
    skipped: count('Rows that change nothing, and users that it may not change.', 200),
    failed: count('Rows with an error, and users whom an undo cannot restore.', 100),
    action: nullable(Type.String({ description: 'Of a bulk action: which.', examples: ['ban'] })),
    message: nullable(
      Type.String({ description: 'Why it failed.', examples: ['The author of this job was deleted or banned.'] }),
    ),
    can_undo: Type.Boolean({ description: 'True if POST /jobs/{id}/undo takes it back.', examples: [false] }),
    undone_by: nullable(Type.Integer({ description: 'The job that took this one back.', examples: [18] })),
    undoes: nullable(Type.Integer({ description: 'Of an undo: the job that it takes back.', examples: [17] })),
    created_by: nullable(Type.Integer({ description: 'Null for the command line.', examples: [1] })),
    created_at: Timestamp,
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
  }),
)
export type Job = Static<typeof Job>

export const JobError = component(
  'JobError',
  Type.Object({
    line: nullable(Type.Integer({ description: 'The line of the file; the header is 1.', examples: [17] })),
    field: nullable(Type.String({ examples: ['email'] })),
    code: Type.String({ examples: ['user_email_taken'] }),
    message: Type.String({ examples: ['The email has already been taken.'] }),
  }),
)
export type JobError = Static<typeof JobError>
