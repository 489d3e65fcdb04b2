import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, type ServiceError, validationFailed } from '../core/errors.ts'
import { discardRest, watchBody } from './body-watch.ts'
import { createFormParser, malformedForm, piecesOf } from './form-parser.ts'
import { kindOf } from './media-types.ts'
import { announcesBody } from './read-bytes.ts'

/** The only field that contains a file. */
const fileField = 'file'

/** Allowance for boundaries, headers and a few extra fields besides the file. */
const limits = { files: 1, fields: 20, parts: 22, fieldSize: 4096, headerPairs: 20 }
const maxFormBytes = 128 * 1024

const unsupported = () => errors.unsupported_media_type('The request body must be a form (multipart/form-data).')
const tooLarge = (maxBytes: number) =>
  errors.payload_too_large(`The file must not be larger than ${maxBytes / 1024 / 1024} MiB.`)
const tooManyParts = () => errors.payload_too_large('The form has too many parts.')
const invalidFile = (message: string) => validationFailed({ [fileField]: [message] })
const required = () => invalidFile('The file field is required.')

/** A scope for routes that accept only a multipart form. Everywhere else such forms are 415. */
export async function acceptFileForms(
  app: FastifyInstance,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
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
  const { raw, headers } = request
  const type = headers['content-type'] ?? ''
  if (kindOf(type) !== 'multipart form' || !announcesBody(raw)) throw required()
  if (raw.destroyed) throw malformedForm() // a client that has already disconnected emits no event
  let isLate = false // a slow client is not waited for
  const body = watchBody(raw, {
    maxBytes: maxBytes + maxFormBytes,
    withinMs,
    tooLong: () => tooLarge(maxBytes),
    tooSlow: errors.request_timeout,
  })
  try {
    if (Number(headers['content-length']) > maxBytes + maxFormBytes) throw tooLarge(maxBytes)
    const file = await Promise.race([body.failed, readForm(raw, type, maxBytes)])
    await request.idempotency?.take(file)
    return file
  } catch (error) {
    isLate = (error as Partial<ServiceError>).status === 408
    throw error
  } finally {
    body.stop()
    if (!isLate) await discardRest(raw)
  }
}

/** Parses a form as it arrives, in small pieces, and stops at the first refusal. */
function readForm(raw: IncomingMessage, contentType: string, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let file: Buffer | undefined
  let isText = false
  let isOver = false
  const refuse = (error: ServiceError) => {
    isOver = true
    reject(error)
  }
  const form = createFormParser(contentType, { limits: { ...limits, fileSize: maxBytes } })
  form.on('field', (name) => {
    isText ||= name === fileField
  })
  form.on('file', (name, stream) => {
    const chunks: Buffer[] = []
    stream.on('error', () => refuse(malformedForm()))
    stream.on('limit', () => refuse(tooLarge(maxBytes)))
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      if (name === fileField) file = Buffer.concat(chunks)
    })
  })
  form.on('filesLimit', () => refuse(invalidFile('The form must hold one file only.')))
  for (const limit of ['partsLimit', 'fieldsLimit'] as const) form.on(limit, () => refuse(tooManyParts()))
  form.on('error', () => refuse(malformedForm()))
  form.on('finish', () => {
    if (file !== undefined && file.length > 0) resolve(file)
    else refuse(isText ? invalidFile('The file field must be a file.') : required())
  })
  raw.on('data', (chunk: Buffer) => {
    for (const piece of piecesOf(chunk)) if (!isOver) form.write(piece)
  })
  raw.on('end', () => {
    if (!isOver) form.end()
  })
  raw.on('close', () => {
    if (!raw.readableEnded) refuse(malformedForm())
  })
  return promise
}
