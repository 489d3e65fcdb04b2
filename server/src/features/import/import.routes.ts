import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { errors, ServiceError, validationFailed } from '../../core/errors.ts'
import { discardRest } from '../../http/body-watch.ts'
import { Replay } from '../../http/idempotency/idempotency.ts'
import { announcesBody } from '../../http/read-bytes.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { Job } from '../jobs/jobs.schemas.ts'
import { toJob } from '../jobs/jobs.service.ts'
import { conflicts } from './import.schemas.ts'
import { type ImportFile, importUsers } from './import.service.ts'
import { parseImportOptions } from './options.ts'
import type { FileFormat } from './rows.ts'

const formats: Readonly<Record<string, FileFormat>> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' }

const query = {
  dry_run: Type.Optional(
    Type.String({ description: 'With 1: say what would happen, and change nothing.', examples: ['1'] }),
  ),
  on_conflict: Type.Optional(
    Type.String({
      enum: [...conflicts],
      description: 'What becomes of a row whose email address has an account: it fails, is skipped, or updates it.',
    }),
  ),
  ignore_unknown: Type.Optional(Type.String({ description: 'With 1: ignore unknown columns.', examples: ['1'] })),
  notify: Type.Optional(Type.String({ enum: ['invite'], description: 'Mail those without a password an invitation.' })),
  hash_parameters: Type.Optional(
    Type.String({
      description: 'Of Firebase: JSON with algorithm, base64_signer_key, base64_salt_separator, rounds and mem_cost.',
    }),
  ),
}

/** The file of a request; throws where its type or encoding is not one that is read. */
function fileOf(request: FastifyRequest): ImportFile {
  const { raw, idempotency } = request
  const [type = '', ...parameters] = (raw.headers['content-type'] ?? '').toLowerCase().split(';')
  const format = formats[type.trim()]
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (format === undefined || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)))
    throw errors.unsupported_media_type('The request body must be text/csv or application/x-ndjson, in UTF-8.')
  const encoding = (raw.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw errors.unsupported_media_type('The Content-Encoding must be gzip, or none.')
  if (!announcesBody(raw)) throw validationFailed({ file: ['The file is empty.'] })
  const received = async (digest: Buffer) => idempotency?.take(digest)
  const idleMs = request.server.bodyTimeoutMs
  return { body: raw, idleMs, format, isGzip: encoding === 'gzip', received }
}

export function importRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/users/import',
    tag: 'Users',
    operationId: 'importUsers',
    summary: 'Import users from a file',
    description:
      'CSV with a header line, or a JSON object on each line; UTF-8, at most 4 GiB. The answer is a job: GET /jobs/{id} says how far it is, GET /jobs/{id}/errors what is wrong with which line. The rules are those of POST /users.',
    access: { permission: 'users.manage' },
    freshProof: true,
    takesText: Object.keys(formats),
    query,
    status: 202,
    answer: dataOf(Job),
    handle: async ({ actor, query, request }) => {
      try {
        return await importUsers(ctx, actor, fileOf(request), parseImportOptions(query))
      } catch (error) {
        const isLate = error instanceof ServiceError && error.status === 408 // a slow client is not waited for
        if (!isLate && !(error instanceof Replay)) await discardRest(request.raw)
        throw error
      }
    },
    toAnswer: (job) => ({ data: toJob(job) }),
  })
}
