import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { Job } from '../jobs/jobs.schemas.ts'
import { toJob } from '../jobs/jobs.service.ts'
import { BulkUsers } from './bulk.schemas.ts'
import { changeManyUsers, undoJob } from './bulk.service.ts'

const mayManage = { permission: 'users.manage' } as const

export function bulkRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/users/bulk',
    tag: 'Users',
    operationId: 'changeManyUsers',
    refusals: { 404: 'password reset is switched off', 409: 'another number of users matches' },
    summary: 'Do something to many users',
    description:
      'To all who match a filter, or to those with these ids. The answer is a job. You, users above you and the last administrator are left out and counted as skipped.',
    access: mayManage,
    freshProof: true,
    body: BulkUsers,
    maxBodyBytes: 256 * 1024,
    status: 202,
    answer: dataOf(Job),
    handle: ({ actor, body }) => changeManyUsers(ctx, actor, body),
    toAnswer: (job) => ({ data: toJob(job) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/jobs/{id}/undo',
    tag: 'Jobs',
    operationId: 'undoJob',
    summary: 'Take a bulk action back',
    description:
      'Of ban, activate and set_role, for users whom nobody has changed since. Who had a role that was deleted since keeps the present one and counts as failed. The answer is a new job.',
    refusals: { 409: 'it was taken back already (unless that left somebody out), or the job can not be' },
    access: mayManage,
    freshProof: true,
    status: 202,
    answer: dataOf(Job),
    handle: ({ actor, id }) => undoJob(ctx, actor, id),
    toAnswer: (job) => ({ data: toJob(job) }),
  })
}
