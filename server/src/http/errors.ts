import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errors, ServiceError } from '../core/errors.ts'
import { noteRefusal } from '../core/refusals.ts'
import { isCollision, isUnavailable } from '../db/failures.ts'
import { names } from './accept.ts'
import { Replay } from './idempotency/idempotency.ts'

/** When to try again after a 503. */
export const retryAfterSeconds = 2

/** The page that a browser gets instead of JSON. */
export type ErrorPage = (error: { status: number; message: string }) => {
  headers: Readonly<Record<string, string>>
  page: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorPage?: ErrorPage
  }
}

/** Replaces Fastify's own errors, whose messages expose internals. */
const ours: Record<string, () => ServiceError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: errors.payload_too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: errors.unsupported_media_type,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    errors.malformed_request('The request body is shorter or longer than its Content-Length.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: errors.malformed_request,
  FST_ERR_BAD_URL: errors.not_found,
  FST_ERR_MAX_PARAM_LENGTH: errors.not_found,
}

/** The error as the caller may see it; undefined for an internal error. */
function toServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  if (isUnavailable(error) || isCollision(error)) return errors.unavailable() // after many attempts
  const { code, statusCode } = error as FastifyError
  const known = ours[code]
  if (known !== undefined) return known()
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? errors.malformed_request() : undefined
}

/** The page for a browser; undefined for everybody else, and where it cannot be made. */
function pageOf(request: FastifyRequest, { status, message }: ServiceError): ReturnType<ErrorPage> | undefined {
  const { errorPage } = request.routeOptions.config
  if (errorPage === undefined || !names(request.headers.accept, 'text/html')) return undefined
  try {
    return errorPage({ status, message })
  } catch (err) {
    request.server.requestLog.error({ reqId: request.id, err }, 'the page of an error could not be made')
    return undefined
  }
}

/** The only place that turns an error into an answer. Unexpected errors are logged in full and their details are never sent. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof Replay) {
    error.send(reply)
    return
  }
  const refusal = toServiceError(error) ?? errors.internal_error()
  noteRefusal(refusal.code)
  if (refusal.status >= 500) request.server.requestLog.error({ reqId: request.id, err: error }, 'request failed')
  if (refusal.status === 408) reply.header('connection', 'close')
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
  const retryAfter = refusal.retryAfterSeconds ?? (refusal.status === 503 ? retryAfterSeconds : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (refusal.limit !== undefined) reply.header('x-ratelimit-limit', refusal.limit).header('x-ratelimit-remaining', 0)
  const { status, message, code, fields, count } = refusal
  const page = pageOf(request, refusal)
  if (page !== undefined) {
    reply.status(status).headers(page.headers).serializer(String).send(page.page)
    return
  }
  // What is undefined is left out of the JSON.
  const body = { message, code, errors: fields, count }
  reply.status(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}
