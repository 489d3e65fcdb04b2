import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, type ServiceError, validationFailed } from '../core/errors.ts'
import { discardRest, watchBody } from './body-watch.ts'
import { Replay } from './idempotency/idempotency.ts'
import { announcesBody } from './read-bytes.ts'

/** The only field that contains a file. */
const fileField = 'file'

/** Allowance for boundaries, headers and a few extra fields besides the file. */
const limits = { files: 1, fields: 20, parts: 22, fieldSize: 4096, headerPairs: 20 }
const maxFormBytes = 128 * 1024

const unsupported = () => errors.unsupported_media_type('The request body must be a form (multipart/form-data).')
const malformed = () => errors.malformed_request('The request body is not a whole multipart form.')
const tooLarge = (maxBytes: number) =>
  errors.payload_too_large(`The file must not be larger than ${maxBytes / 1024 / 1024} MiB.`)
const refuse = (message: string) => validationFailed({ [fileField]: [message] })
const required = () => refuse('The file field is required.')

/** A scope for routes that accept only a multipart form. Everywhere else such forms are 415. */
export async function acceptFileForms(
  app: FastifyInstance,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { throwFileSizeLimit: false })
    scope.addContentTypeParser('*', ({ raw }, _body, done) => {
      if (announcesBody(raw)) void discardRest(raw).then(() => done(unsupported()))
      else done(null)
    })
    scope.setValidatorCompiler(() => () => true) // a form is read by its route, as a stream
    addRoutes(scope)
  })
}

/**
 * The file of a form, in memory; its name and declared type are ignored. It is refused as soon as it is too large, too slow
 * or not a form. The rest of what the client sends is discarded.
 */
export async function receiveFile(
  request: FastifyRequest,
  { maxBytes, withinMs = request.server.bodyTimeoutMs }: { maxBytes: number; withinMs?: number },
): Promise<Buffer> {
  if (!request.isMultipart() || !announcesBody(request.raw)) throw required()
  if (request.raw.destroyed) throw malformed() // a client that has already disconnected emits no event
  let isLate = false // a slow client is not waited for
  const body = watchBody(request.raw, {
    maxBytes: maxBytes + maxFormBytes,
    withinMs,
    tooLong: () => tooLarge(maxBytes),
    tooSlow: errors.request_timeout,
  })
  try {
    if (Number(request.headers['content-length']) > maxBytes + maxFormBytes) throw tooLarge(maxBytes)
    const file = await Promise.race([body.failed, readForm(request, maxBytes)])
    await request.idempotency?.take(file)
    return file
  } catch (error) {
    if (error instanceof Replay) throw error
    const refusal = toRefusal(error)
    isLate = refusal.status === 408
    throw refusal
  } finally {
    body.stop()
    if (!isLate) await discardRest(request.raw)
  }
}

async function readForm(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  let file: Buffer | undefined
  let isText = false
  for await (const part of request.parts({ limits: { ...limits, fileSize: maxBytes } })) {
    if (part.type === 'field') isText ||= part.fieldname === fileField
    else if (part.fieldname === fileField) file = await collect(part.file, maxBytes)
    else part.file.resume()
  }
  if (file !== undefined && file.length > 0) return file
  throw isText ? refuse('The file field must be a file.') : required()
}

/** The bytes of a part. The stream reports that it was truncated long before it ends, so that is checked at once. */
function collect(part: MultipartFile['file'], maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const onLimit = () => reject(tooLarge(maxBytes))
    part.on('data', (chunk: Buffer) => chunks.push(chunk))
    part.once('limit', onLimit)
    part.once('error', reject)
    part.once('end', () => resolve(Buffer.concat(chunks)))
    part.once('close', () => reject(malformed()))
    // A part that arrived in one chunk has ended before a listener could be added.
    if (part.truncated) onLimit()
    if (part.destroyed) reject(malformed())
  })
}

/** Any error while a form is parsed is the sender's fault. */
function toRefusal(error: unknown): ServiceError {
  const { code, status } = error as { code?: string; status?: number }
  if (status !== undefined) return error as ServiceError
  if (code === 'FST_FILES_LIMIT') return refuse('The form must hold one file only.')
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return errors.payload_too_large('The form has too many parts.')
  return malformed()
}
