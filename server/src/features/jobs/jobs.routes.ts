import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { prefersToJson } from '../../http/accept.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { streamText } from '../../http/stream-text.ts'
import { streamJobErrors } from './errors-file.ts'
import { jobErrorList, jobList } from './jobs.list.ts'
import { Job, JobError } from './jobs.schemas.ts'
import { cancelJob, getJob, jobErrorScope, jobRunnerName, toJob } from './jobs.service.ts'
import type { JobErrorRow, JobRow } from './jobs.table.ts'

const mayManage = { permission: 'users.manage' } as const

const toError = ({ line, field, code, message }: JobErrorRow) => ({ line, field, code, message })

export function jobsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/jobs',
    tag: 'Jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'Long work that runs in the background, the newest first. Jobs are kept for 90 days after their end.',
    access: mayManage,
    list: jobList,
    answer: listOf(Job),
    handle: (call) => answerList<JobRow, Job>(ctx, jobList, call, (rows) => rows.map(toJob)),
  })

  addRoute(app, {
    method: 'GET',
    path: '/jobs/{id}',
    tag: 'Jobs',
    operationId: 'getJob',
    summary: 'Get a job',
    access: mayManage,
    answer: dataOf(Job),
    handle: async ({ id }) => ({ data: toJob(await getJob(ctx.db, id)) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/jobs/{id}',
    tag: 'Jobs',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description: 'What it has done stays.',
    refusals: { 409: 'the job has ended' },
    access: mayManage,
    answer: 'success',
    handle: async ({ actor, id }) => {
      await cancelJob(ctx, actor, id)
      ctx.jobs.wake(jobRunnerName)
    },
  })

  addRoute(app, {
    method: 'GET',
    path: '/jobs/{id}/errors',
    tag: 'Jobs',
    operationId: 'listJobErrors',
    summary: 'List the errors of a job',
    description: 'With `Accept: text/csv` all that match as a file, without pages.',
    access: mayManage,
    list: jobErrorList,
    answer: listOf(JobError),
    alsoAnswers: ['text/csv'],
    handle: async (call) => {
      const { id } = await getJob(ctx.db, call.id)
      if (prefersToJson(call.request.headers.accept, 'text/csv')) {
        const file = { type: 'text/csv; charset=utf-8', name: `job-${id}-errors.csv` }
        return streamText(call, file, Readable.from(streamJobErrors(ctx, id, call.query)))
      }
      return answerList<JobErrorRow, JobError>(ctx, jobErrorList, call, (rows) => rows.map(toError), jobErrorScope(id))
    },
  })
}
